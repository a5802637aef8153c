package model

import (
	"fmt"
	"slices"
	"strings"
)

// redundancy resolves what a redundant aggregate is a function of.
func (b *builder) redundancy(a *Aggregate) {
	r := a.Redundancy
	if r == nil {
		return
	}
	p := b.resolve("redundant", r.text, r.Pos, RuleSourcePath, "write redundant=Source or redundant=Source.Collection in Go names")
	if p == nil {
		return
	}
	if p.Source.Redundancy != nil {
		b.add(r.Pos, RuleChain, "name the truth that "+p.Source.Struct.Name+" is made from", "redundant=%s: %s is redundant itself", r.text, p.Source.Struct.Name)
		return
	}
	r.Source = p.Source
	if len(p.Steps) == 0 {
		return
	}
	last := len(p.Steps) - 1
	if p.Loop >= 0 || !isCollection(p.Steps[last].Type) {
		b.add(r.Pos, RuleSourcePath, "end it with the collection, or name the source alone", "redundant=%s: it does not end with a collection", r.text)
		r.Source = nil
		return
	}
	p.Loop = last
	r.Path = p
}

// origins resolves where each attribute of a redundant aggregate comes from.
func (b *builder) origins(a *Aggregate) {
	if a.Redundancy == nil {
		for _, at := range a.Attributes {
			if at.from.Key != "" {
				b.add(at.from.Pos, RuleMisplacedOption, "delete it", "from= means nothing on a root")
			}
		}
		return
	}
	if a.Redundancy.Source == nil {
		return
	}
	whole := true
	for _, at := range a.Attributes {
		at.Origin = b.origin(a, at)
		whole = whole && at.Origin != nil
	}
	if whole && len(a.Identifier) > 0 {
		b.copyKey(a)
	}
}

// origin resolves one attribute: by its from=, else by its Go name in the element or the source.
func (b *builder) origin(a *Aggregate, at *Attribute) *Origin {
	r := a.Redundancy
	p, pos := &Path{Source: r.Source, Loop: -1}, at.Pos
	if at.from.Key != "" {
		pos = at.from.Pos
		if p = b.resolve("from", at.from.Value, pos, RuleFromPath, "write from=Source.Field in Go names"); p == nil {
			return nil
		}
		if p.Source != r.Source {
			b.add(pos, RuleFromPath, "start it with "+r.Source.Struct.Name, "from=%s: %s is made from %s", at.from.Value, a.Struct.Name, r.Source.Struct.Name)
			return nil
		}
		if p.Loop >= 0 && !p.sameLoop(r.Path) {
			collection := &Path{Source: p.Source, Steps: p.Steps[:p.Loop+1], Loop: -1}
			b.add(pos, RuleFromPath, "name the collection in redundant=, or take another value", "from=%s: the rows of %s are not made from %s", at.from.Value, a.Struct.Name, collection)
			return nil
		}
	} else if p = b.byName(r, at); p == nil {
		return nil
	}
	o, why := makeOrigin(p, at.Type)
	if o == nil && why != "" {
		b.add(pos, RuleFromType, "give both the same type", "%s is %s, %s", at.GoName(), at.Type, why)
	}
	return o
}

// byName finds the field of the same Go name in what the rows are made from.
func (b *builder) byName(r *Redundancy, at *Attribute) *Path {
	base := r.Path
	if base == nil {
		base = &Path{Source: r.Source, Loop: -1}
	}
	for _, x := range base.attributes() {
		if x.GoName() == at.GoName() {
			q := *base
			q.Steps = append(slices.Clone(base.Steps), x)
			return &q
		}
	}
	if base.unread(at.GoName()) {
		return nil
	}
	mend := fmt.Sprintf("add from=%s.Field, or delete the field", r.Source.Struct.Name)
	if t := base.valueType(); t != nil && t.Kind != Composed {
		mend = fmt.Sprintf("add from=%s for the element", base)
	} else if r.Path != nil && slices.ContainsFunc(r.Source.Attributes, func(x *Attribute) bool { return x.GoName() == at.GoName() }) {
		mend = fmt.Sprintf("add from=%s.%s", r.Source.Struct.Name, at.GoName())
	}
	b.add(at.Pos, RuleNoSource, mend, "%s has no field %s to fill it from", base.where(), at.GoName())
	return nil
}

// makeOrigin gives the value at the end of p as a value of type t, or says why it cannot: "" where that has been
// reported. A struct is filled field by field where the path leads to another struct or to the source itself.
func makeOrigin(p *Path, t *Type) (*Origin, string) {
	from := p.valueType()
	if from != nil && from.same(t) {
		return &Origin{Path: p}, ""
	}
	if t.Kind != Composed || from != nil && from.Kind != Composed {
		return nil, fmt.Sprintf("%s is %s", p, typeName(from))
	}
	o := &Origin{Path: p, Object: t.Object}
	for _, at := range t.Object.Attributes {
		i := slices.IndexFunc(p.attributes(), func(x *Attribute) bool { return x.GoName() == at.GoName() })
		if i < 0 && p.unread(at.GoName()) {
			return nil, ""
		}
		if i < 0 {
			return nil, fmt.Sprintf("whose field %s is not one of %s", at.GoName(), p.where())
		}
		q := *p
		q.Steps = append(slices.Clone(p.Steps), p.attributes()[i])
		f, why := makeOrigin(&q, at.Type)
		if f == nil && why == "" {
			return nil, ""
		}
		if f == nil {
			return nil, fmt.Sprintf("whose field %s is %s, and %s", at.GoName(), at.Type, why)
		}
		o.Fields = append(o.Fields, f)
	}
	return o, ""
}

func typeName(t *Type) string {
	if t == nil {
		return "an aggregate"
	}
	return t.String()
}

// copyKey holds a redundant key against the rule that each of its rows has exactly one source row.
func (b *builder) copyKey(a *Aggregate) {
	var paths []*Path
	for _, k := range a.Key() {
		p := k.Origin.Path
		if k.Origin.Object == nil {
			paths = append(paths, p)
		}
		if p.nilable() {
			b.add(k.Pos, RuleNilKey, "mark the field of the source required, or use another key", "%s comes from %s, which can be nil, and is part of the key", k.GoName(), p)
		}
	}
	if a.Redundancy.Distinct {
		return
	}
	var missing []string
	for _, need := range identity(a.Redundancy) {
		if !slices.ContainsFunc(paths, need.equal) {
			missing = append(missing, need.String())
		}
	}
	r := a.Redundancy
	switch {
	case r.Path != nil && elementIdentity(r.Path) == nil:
		b.add(a.Struct.Pos, RuleSharedKey, "make it a map, or vouch for the key with distinct on the marker", "two elements of %s can share a key of %s: the values of a list have no identity", r.text, a.Struct.Name)
	case len(missing) > 0:
		b.add(a.Struct.Pos, RuleSharedKey, "add to the key what comes from "+strings.Join(missing, ", ")+", or vouch for the key with distinct on the marker",
			"two rows of %s can share a key of %s", r.text, a.Struct.Name)
	}
}

// identity gives what tells two rows of a redundant aggregate apart: the key of the source and, through a collection, the
// identity of the element.
func identity(r *Redundancy) []*Path {
	var need []*Path
	for _, k := range r.Source.Key() {
		need = append(need, &Path{Source: r.Source, Steps: []*Attribute{k}, Loop: -1})
	}
	if r.Path != nil {
		if e := elementIdentity(r.Path); e != nil {
			need = append(need, e)
		}
	}
	return need
}

// elementIdentity gives what tells the elements of a collection apart: the key of a map, the value in a set or in a list
// of scalars; nil for a list of value objects.
func elementIdentity(p *Path) *Path {
	q := *p
	switch t := p.collection().Type; {
	case t.Kind == MapType:
		q.Part = EntryKey
	case t.Kind == List && t.Elem.Kind == Composed:
		return nil
	}
	return &q
}
