package model

import (
	"slices"
	"strings"
)

// checkCopyKey checks that each redundant key belongs to exactly one row of the source.
func checkCopyKey(f *faults, a *Aggregate) {
	for _, k := range a.Key() {
		if k.Origin.Path.CanBeNil() && a.Redundancy.when.Key == "" {
			fix := "add when=" + k.Origin.Path.String() + " to the marker, or required to the field of the source"
			if k.Origin.Path.Method() != nil {
				fix = "add when=" + k.Origin.Path.String() + " to the marker, or return a type that cannot be nil"
			}
			f.add(k.Pos, RuleNilKey, fix, "%s comes from %s, which can be nil, and is part of the key", k.GoName(), k.Origin.Path)
		}
	}
	r, key := a.Redundancy, newCopyColumns(a)
	instance, element := r.unique(key)
	if need := r.sourceKey(); r.Distinct && !r.Shared && r.Source.Version != nil && !containsPaths(need, key.plain) {
		o, _ := a.Tag.Option("distinct")
		f.add(o.Pos, RuleSharedKey, "delete it, and declare the values of the key unique in "+r.Source.Struct.Name+", or add to the key the values of "+strings.Join(pathTexts(need), ", "),
			"distinct only asserts that no two rows of %s share a key of %s; %s has a version, so unique values can ensure it", r.Source.Struct.Name, a.Struct.Name, r.Source.Struct.Name)
		return
	}
	if r.Distinct || r.Shared || element {
		return
	}
	var missing []*Path
	for _, need := range r.sourceKey() {
		if !instance && !slices.ContainsFunc(key.plain, need.equal) {
			missing = append(missing, need)
		}
	}
	if ways := r.elementIdentity(); r.Path != nil && r.Path.Method() == nil && !key.distinguishesElements(ways) && !key.distinguishesElements(r.Path.position()) {
		if t := r.Path.collection().Type; t.Kind == List && len(r.Path.entity(t)) == 0 && t.Elem.fields() != nil {
			why, fix := ": value objects in a list have no identity", "add an identity (aml.Entity, a qualifier, a map)"
			if len(key.empty) > 0 {
				why, fix = key.claimless(fix)
			}
			f.add(a.Struct.Pos, RuleSharedKey, fix+r.alternativeFix(), "two elements of %s can share a key of %s%s", r.text, a.Struct.Name, why)
			return
		}
		missing = append(missing, ways[0]...)
	}
	if len(missing) > 0 {
		why, fix := key.missing(missing)
		f.add(a.Struct.Pos, RuleSharedKey, fix+r.alternativeFix(), "two rows of %s can share a key of %s%s", r.text, a.Struct.Name, why)
	}
}

// alternativeFix returns the other way in which rows can be kept from sharing a key.
func (r *Redundancy) alternativeFix() string {
	switch {
	case r.Source.Version == nil && r.Source.Versioned():
		return ""
	case r.Source.Version != nil:
		return ", or declare the values of the key unique in " + r.Source.Struct.Name
	}
	return ", or add distinct to the marker if the keys always differ"
}

// copyColumns contains the origins of the key of a redundant aggregate.
type copyColumns struct {
	plain  []*Path      // the origins of plain columns
	inside []*Path      // the origins of the fields of structs, which the rules of the key ignore
	in     []*Attribute // those columns
	first  *Path        // the whole partition key, where that is one column; nil for none
	empty  []*Path      // unique texts that the key relies on although they can be empty
}

func newCopyColumns(a *Aggregate) *copyColumns {
	key := &copyColumns{}
	for _, k := range a.Key() {
		if k.Origin.Object == nil {
			key.plain = append(key.plain, k.Origin.Path)
		} else {
			key.inside = append(key.inside, k.Origin.paths()...)
			key.in = append(key.in, k)
		}
	}
	if id := a.Identifier; len(id) == 1 && id[0].Origin.Object == nil {
		key.first = id[0].Origin.Path
	}
	return key
}

// distinguishesElements reports whether the key contains all paths of at least one of the given identities of the elements.
func (k *copyColumns) distinguishesElements(ways [][]*Path) bool {
	return slices.ContainsFunc(ways, func(w []*Path) bool { return containsPaths(w, k.plain) })
}

// missing returns why the key is insufficient and how to fix it.
func (k *copyColumns) missing(need []*Path) (why, fix string) {
	fix = "add to the key the values of " + strings.Join(pathTexts(need), ", ")
	switch {
	case len(k.empty) > 0:
		return k.claimless(fix)
	case slices.ContainsFunc(need, func(n *Path) bool { return slices.ContainsFunc(k.inside, n.equal) }):
		return ": values inside " + k.in[0].GoName() + " do not count, only plain columns do", fix + " as separate columns"
	}
	return "", fix
}

// claimless returns why a unique text is insufficient, and how to fix it, with other as an alternative.
func (k *copyColumns) claimless(other string) (why, fix string) {
	u := k.empty[0]
	fix = "make it the only identifier, " + other
	if u.Steps[len(u.Steps)-1].Type.requiredIsNotEmpty() {
		fix = "add required to " + u.String() + ", " + fix
	}
	return ": an empty value claims nothing, so several rows can have an empty " + u.String(), fix
}

// unique reports whether a key contains a value that is unique in the source: only one instance of the source has it, or even
// only one element of the collection.
func (r *Redundancy) unique(key *copyColumns) (instance, element bool) {
	for _, u := range r.Source.uniquePaths() {
		switch empty := key.canBeEmpty(u); {
		case !containsPaths(u, key.plain):
		case empty != nil:
			key.empty = append(key.empty, empty)
		default:
			instance = true
			element = element || r.Path == nil || slices.ContainsFunc(u, func(p *Path) bool { return p.Loop >= 0 })
		}
	}
	return instance, element
}

// canBeEmpty returns the first of some unique values of the source that can be an empty text in rows of a copy; nil if none can. An
// empty text claims nothing, and neither does a group that contains one. As the whole partition key it is refused before it
// is written, like nil in any key.
func (k *copyColumns) canBeEmpty(unique []*Path) *Path {
	i := slices.IndexFunc(unique, func(u *Path) bool { return u.canBeEmptyText() && (k.first == nil || !k.first.equal(u)) })
	if i < 0 {
		return nil
	}
	return unique[i]
}

// Claims reports whether each row of a redundant aggregate has claimed some unique values of its source that are in its key: a text that
// can be empty has not.
func (a *Aggregate) Claims(unique []*Path) bool { return newCopyColumns(a).canBeEmpty(unique) == nil }

// uniquePaths returns the paths of unique values, before or after they have been checked.
func (a *Aggregate) uniquePaths() [][]*Path {
	var out [][]*Path
	groups := map[string]int{}
	for _, w := range walk(a.Attributes) {
		o, ok := w.attribute().Tag.Option("unique")
		if !ok || w.attribute().Type.collection() || w.copied() || w.tuple {
			continue
		}
		p := &Path{Source: a, Steps: w.path, Loop: slices.IndexFunc(w.path[:len(w.path)-1], func(x *Attribute) bool { return x.Type.collection() })}
		if i, known := groups[o.Value]; known && o.Value != "" {
			out[i] = append(out[i], p)
			continue
		}
		groups[o.Value] = len(out)
		out = append(out, []*Path{p})
	}
	return out
}

// sourceKey returns the paths that identify an instance of the source.
func (r *Redundancy) sourceKey() []*Path {
	var need []*Path
	for _, k := range r.Source.Key() {
		need = append(need, &Path{Source: r.Source, Steps: []*Attribute{k}, Loop: -1})
	}
	return need
}

// elementIdentity returns the alternative sets of paths that distinguish the elements of the collection; none for value objects
// in a list.
func (r *Redundancy) elementIdentity() [][]*Path {
	p := r.Path
	if p == nil {
		return nil
	}
	t, whole := p.collection().Type, *p
	var ways [][]*Path
	switch {
	case t.Kind == MapType:
		key := whole
		key.Part = EntryKey
		ways = append(ways, []*Path{&key})
		if len(t.Qualifier) > 0 {
			ways = append(ways, p.fields(t.Qualifier))
		}
	case t.Kind == Set || t.Elem.fields() == nil:
		ways = append(ways, []*Path{&whole})
	}
	return append(ways, p.entity(t)...)
}

// entity returns the identity of the elements if they are entities.
func (p *Path) entity(t *Type) [][]*Path {
	if o := t.Elem.Object; o == nil || !o.Entity {
		return nil
	}
	return [][]*Path{p.fields(t.Elem.Object.Identity)}
}

// position returns the index in a list, which also distinguishes its elements.
func (p *Path) position() [][]*Path {
	if p.collection().Type.Kind != List {
		return nil
	}
	q := *p
	q.Part = Position
	return [][]*Path{{&q}}
}

// fields returns the paths to some fields of the element.
func (p *Path) fields(in []*Attribute) []*Path {
	var out []*Path
	for _, a := range in {
		q := *p
		q.Steps = append(slices.Clone(p.Steps), a)
		out = append(out, &q)
	}
	return out
}

// KeyPlace is where the rows of a redundant aggregate contain one value of their source's key.
type KeyPlace struct {
	Attribute *Attribute // an attribute of the redundant aggregate
	Field     int        // the number of the field in the attribute's composition; -1: the attribute itself is the value
}

// SourceKey returns where each row of a redundant aggregate contains the key of its source: a place for every key attribute of the
// source, in the order of its Key. It returns nil if a row does not contain the whole key, so that its source is unknown. If a
// value has several places, one in the key of the redundant aggregate is preferred, then a plain column, then a field of a
// composition.
func (a *Aggregate) SourceKey() []KeyPlace {
	var out []KeyPlace
	for _, need := range a.Redundancy.sourceKey() {
		place, ok := a.place(need)
		if !ok {
			return nil
		}
		out = append(out, place)
	}
	return out
}

// place returns the place of a value of the source in a row of a redundant aggregate.
func (a *Aggregate) place(of *Path) (KeyPlace, bool) {
	columns := a.Key()
	for _, at := range a.Attributes {
		if !at.Key {
			columns = append(columns, at)
		}
	}
	for _, at := range columns {
		if at.Origin.Is(of) {
			return KeyPlace{at, -1}, true
		}
	}
	for _, at := range columns {
		if i := slices.IndexFunc(at.Origin.Fields, func(f *Origin) bool { return f.Is(of) }); i >= 0 {
			return KeyPlace{at, i}, true
		}
	}
	return KeyPlace{}, false
}

// FollowsFromKey reports whether each source has at most one row in a redundant aggregate, which no other source can have, and whose key
// derives from the key of the source alone: from its columns, and from methods that read nothing else. Then a row can be deleted without a
// read of its source.
func (a *Aggregate) FollowsFromKey() bool {
	r := a.Redundancy
	if r.Shared || r.Path != nil {
		return false
	}
	var plain []*Path
	for _, k := range a.Key() {
		for _, p := range k.Origin.paths() {
			if !p.followsFromKey() {
				return false
			}
		}
		if k.Origin.Object == nil {
			plain = append(plain, k.Origin.Path)
		}
	}
	return containsPaths(r.sourceKey(), plain)
}

// followsFromKey reports whether a value outside collections derives from the key of the source alone.
func (p *Path) followsFromKey() bool {
	m := p.Method()
	if m == nil {
		return p.Loop < 0 && p.Steps[0].Key
	}
	if p.Source.Root != nil || slices.ContainsFunc(p.Source.Parts, func(part *Aggregate) bool { return part.InRootTable }) {
		return false // the table has rows of two structs, and a method is of one of them
	}
	reads, why := p.Source.Reads(m)
	return why == "" && !slices.ContainsFunc(reads, func(at *Attribute) bool { return !at.Key })
}

// StartsWithSourceKey reports whether the key of a redundant aggregate starts with the whole key of its source, in any order, and
// its partition key contains nothing else. Then the rows of one source are one partition, or one range of clustering keys in
// it, and can be deleted without reading them.
func (a *Aggregate) StartsWithSourceKey() bool {
	need := a.Redundancy.sourceKey()
	if len(a.Identifier) > len(need) || len(a.Key()) < len(need) {
		return false
	}
	var first []*Path
	for _, k := range a.Key()[:len(need)] {
		if k.Origin.Object == nil {
			first = append(first, k.Origin.Path)
		}
	}
	return containsPaths(need, first)
}
