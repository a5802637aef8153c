package model

import (
	"slices"
	"strings"
)

// walkStep is an attribute of an aggregate or of an object inside it, with the path to it.
type walkStep struct {
	path  []*Attribute // from the aggregate's attribute to this one, both included
	tuple bool         // it is in a struct inside a tuple
}

func (w walkStep) attribute() *Attribute { return w.path[len(w.path)-1] }

// copied reports whether the attribute is in a copy of another root, which has the rules for it.
func (w walkStep) copied() bool { return len(w.path) > 1 && w.path[0].Tag.Has("copy") }

// names returns the CQL names on the path, joined, for the names of derived tables.
func (w walkStep) names() string {
	var out []string
	for _, a := range w.path {
		out = append(out, a.Name)
	}
	return strings.Join(out, "_")
}

// walk returns every attribute of an aggregate, also those inside its compositions, in order.
func walk(in []*Attribute) []walkStep { return walkFrom(in, walkStep{}) }

func walkFrom(in []*Attribute, before walkStep) []walkStep {
	var out []walkStep
	for _, a := range in {
		w := walkStep{append(slices.Clone(before.path), a), before.tuple}
		out = append(append(out, w), w.into(a.Type)...)
	}
	return out
}

// into returns the attributes of the structs in a value. The members of a tuple are not among them, but structs inside the members are.
func (w walkStep) into(t *Type) []walkStep {
	switch {
	case t.Kind == Composed:
		return walkFrom(t.Object.Attributes, w)
	case t.Kind == MapType && t.Key.Object != nil:
		return append(w.into(t.Key), w.into(t.Elem)...)
	case t.collection():
		return w.into(t.Elem)
	case t.Kind != Tuple || t.Object == nil:
		return nil
	}
	var out []walkStep
	for _, m := range t.Object.Attributes {
		out = append(out, walkStep{append(slices.Clone(w.path), m), true}.into(m.Type)...)
	}
	return out
}

// associations resolves association= in every aggregate.
func (b *builder) associations() {
	seen := map[*Attribute]*Association{}
	for _, a := range b.model.Aggregates {
		for _, w := range walk(a.Attributes) {
			at := w.attribute()
			x, done := seen[at]
			if !done {
				x = b.association(at)
				seen[at] = x
			}
			if x == nil || w.copied() {
				continue
			}
			if o, ok := at.Tag.Option("checked"); ok && w.tuple {
				b.add(o.Pos, RuleAssociation, "delete it, or store the struct outside the tuple", "checked on %s: it is inside a tuple in %s, where references are not checked", at.GoName(), w.path[0].GoName())
			}
			if w.tuple {
				continue
			}
			mine := *x
			mine.Path = w.path
			if a.IsSource() && mine.Checked && a.Root == nil && (x.Of == nil || x.Of == x.Target.Key()[0]) {
				mine.Table = a.Table + "__" + w.names() + "_refs"
				b.derived(at, mine.Table)
			}
			if o, ok := at.Tag.Option("checked"); ok && a.Root != nil {
				b.add(o.Pos, RuleAssociation, "delete it, or check the reference in "+a.Root.Struct.Name, "checked on %s: %s is a part, and only an aggregate with a version can check references", at.GoName(), a.Struct.Name)
			}
			a.Associations = append(a.Associations, &mine)
		}
		b.whole(a.Attributes)
	}
	for _, o := range b.model.Objects {
		b.whole(o.Attributes)
	}
}

// association resolves the association of an attribute; nil if it has none or is invalid.
func (b *builder) association(at *Attribute) *Association {
	o, ok := at.Tag.Option("association")
	if !ok {
		b.misplaced(at.Tag, "without association=", "checked")
		if d, ok := at.Tag.Option("ondelete"); ok && !at.Tag.Has("copy") {
			b.add(d.Pos, RuleMisplacedOption, "delete it, or add association= and checked, or copy=", "ondelete has no effect without association= or copy=")
		}
		return nil
	}
	target, field := b.referred(o.Value)
	if target == nil {
		b.add(o.Pos, RuleAssociation, "write the name of a root's struct"+b.nearestRoot(o.Value), "association=%s: there is no root %s", o.Value, o.Value)
		return nil
	}
	if target.unread || len(target.Identifier) == 0 { // its key has another fault
		return nil
	}
	x := &Association{Attribute: at, Target: target, Many: at.Type.Kind == List || at.Type.Kind == Set, Checked: at.Tag.Has("checked")}
	if field != "" {
		i := slices.IndexFunc(target.Key(), func(k *Attribute) bool { return k.GoName() == field })
		if i < 0 {
			b.add(o.Pos, RuleAssociation, "use a field of its key", "association=%s: %s is not part of the key of %s", o.Value, field, target.Struct.Name)
			return nil
		}
		x.Of = target.Key()[i]
	}
	if why, fix := x.mismatch(o.Value); why != "" {
		b.add(o.Pos, RuleAssociation, fix, "association=%s: %s", o.Value, why)
		return nil
	}
	if c, ok := at.Tag.Option("checked"); ok && b.foreign(target) {
		b.add(c.Pos, RuleAssociation, "delete it, or declare both in one package", "checked: %s belongs to another package, whose store does not know its references", target.Struct.Name)
	}
	b.onDelete(at, x)
	at.Association = x
	return x
}

// referred finds what association= names: a root, or a field of its key.
func (b *builder) referred(name string) (target *Aggregate, field string) {
	if target = b.target(name); target != nil {
		return target, ""
	}
	i := strings.LastIndex(name, ".")
	if i < 0 {
		return nil, ""
	}
	return b.target(name[:i]), name[i+1:]
}

// foreign reports whether a root belongs to another package.
func (b *builder) foreign(a *Aggregate) bool { return a.Struct.Path != b.model.Package.Path }

// target finds a root by its Go name in this package, or by pkg.Name in an imported one.
func (b *builder) target(name string) *Aggregate {
	for _, a := range b.model.Aggregates {
		if a.Struct.Name == name && a.IsSource() && a.Root == nil && !a.Tag.Has("redundant") {
			return a
		}
	}
	for _, s := range b.model.Package.Others {
		if s.Pkg+"."+s.Name == name {
			return b.external(s)
		}
	}
	return nil
}

// external reads a root of another package once. Its faults are reported in that package.
func (b *builder) external(s *Struct) *Aggregate {
	if a, done := b.externals[s]; done {
		return a
	}
	o := newBuilder(&Package{Path: s.Path, Name: s.Pkg})
	o.aggregate(s, onAggregate)
	if len(o.model.Aggregates) > 0 && !o.model.Aggregates[0].Tag.Has("redundant") {
		b.externals[s] = o.model.Aggregates[0]
	}
	return b.externals[s]
}

// mismatch returns why the attribute cannot contain the key of the target, whose name in the tag is name, and how to fix it;
// "" if it can.
func (x *Association) mismatch(name string) (why, fix string) {
	t, key, what := x.Attribute.Type, x.Target.Key(), x.Attribute.GoName()+" is "
	if x.Of != nil {
		if x.Many {
			return "a collection cannot contain a single field of a key", "store the whole key as a struct with type=tuple"
		}
		key = []*Attribute{x.Of}
	}
	if x.Many {
		t, what = t.Elem, "an element of "+x.Attribute.GoName()+" is "
	}
	switch {
	case len(key) == 1 && t.same(key[0].Type), len(key) > 1 && t.Kind == Tuple && holdsKey(t, key):
		return "", ""
	case len(key) > 1 && !x.Many:
		return x.Target.Struct.Name + " has a key of several fields", "write association=" + name + "." + key[0].GoName() + " and so on, with one field for each"
	case len(key) > 1:
		return what + t.String() + ", " + x.Target.Struct.Name + " has a key of several fields", "use a struct with type=tuple that contains the key of " + x.Target.Struct.Name + ", in order"
	}
	return what + t.String() + ", the key of " + x.Target.Struct.Name + " is " + key[0].Type.String(), "use the type of the key"
}

func holdsKey(t *Type, key []*Attribute) bool {
	return slices.EqualFunc(t.Members, key, func(m *Type, k *Attribute) bool { return m.same(k.Type) })
}

// onDelete reads the ondelete= of a reference.
func (b *builder) onDelete(at *Attribute, x *Association) {
	o, given := at.Tag.Option("ondelete")
	x.OnDelete = Restrict
	if !given {
		return
	}
	x.OnDelete = OnDelete(o.Value)
	switch {
	case !x.Checked:
		b.add(o.Pos, RuleMisplacedOption, "add checked, or delete it", "ondelete has no effect on an association that is not checked")
	case !slices.Contains([]OnDelete{Restrict, Cascade, Clear}, x.OnDelete):
		b.add(o.Pos, RuleOnDelete, "write restrict, cascade or clear", "ondelete=%s is not supported for a checked association", o.Value)
	case x.OnDelete == Clear && (at.Key || at.Mandatory || !x.Many && !at.Type.canBeNil()):
		b.add(o.Pos, RuleOnDelete, "use a pointer that is not required, outside the key, or another ondelete=", "ondelete=clear: %s cannot be null", at.GoName())
	}
}

// reference contains the fields that together store a key of several fields.
type reference struct {
	target *Aggregate
	fields []*Attribute
}

func (r *reference) holds(key *Attribute) bool {
	return slices.ContainsFunc(r.fields, func(at *Attribute) bool { return at.Association.Of == key })
}

// references collects the fields of each reference; a key field that appears again starts the next reference.
func references(in []*Attribute) []*reference {
	var out []*reference
	for _, at := range in {
		x := at.Association
		if x == nil || x.Of == nil {
			continue
		}
		i := slices.IndexFunc(out, func(r *reference) bool { return r.target == x.Target && !r.holds(x.Of) })
		if i < 0 {
			out = append(out, &reference{target: x.Target})
			i = len(out) - 1
		}
		out[i].fields = append(out[i].fields, at)
	}
	return out
}

// whole refuses references with missing key fields or with fields whose options differ.
func (b *builder) whole(in []*Attribute) {
	for _, r := range references(in) {
		first := r.fields[0]
		o, _ := first.Tag.Option("association")
		for _, k := range r.target.Key() {
			if !r.holds(k) {
				b.add(o.Pos, RuleAssociation, "add a field with association="+o.Value[:strings.LastIndex(o.Value, ".")+1]+k.GoName(), "association=%s: the key of %s also contains %s", o.Value, r.target.Struct.Name, k.GoName())
			}
		}
		for _, at := range r.fields[1:] {
			if x, y := at.Association, first.Association; x.Checked != y.Checked || x.OnDelete != y.OnDelete {
				o, _ := at.Tag.Option("association")
				b.add(o.Pos, RuleAssociation, "write checked and ondelete= on each field of the reference", "association=%s: %s and %s are fields of one reference and have different options", o.Value, first.GoName(), at.GoName())
			}
		}
	}
}

// derived checks the name of a derived table.
func (b *builder) derived(at *Attribute, table string) {
	if why := checkTable(table); why != "" {
		b.add(at.Pos, RuleName, "give the attribute or its table another name", "derived name %q: %s", table, why)
	}
}
