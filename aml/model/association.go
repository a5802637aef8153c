package model

import (
	"slices"
	"strings"
)

// associationLinker resolves the references to other roots.
type associationLinker struct{ *resolver }

// associations resolves association= in every aggregate.
func (l *associationLinker) associations() {
	seen := map[*Attribute]*Association{}
	for _, a := range l.model.Aggregates {
		for _, w := range walk(a.Attributes) {
			at := w.attribute()
			x, done := seen[at]
			if !done {
				x = l.association(at)
				seen[at] = x
			}
			if x == nil || w.copied() {
				continue
			}
			if o, ok := at.Tag.Option("checked"); ok && w.tuple {
				l.add(o.Pos, RuleAssociation, "delete it, or store the struct outside the tuple", "checked on %s: it is inside a tuple in %s, where references are not checked", at.GoName(), w.path[0].GoName())
			}
			if w.tuple {
				continue
			}
			mine := *x
			mine.Path = w.path
			if a.IsSource() && mine.Checked && a.Root == nil && (x.Of == nil || x.Of == x.Target.Key()[0]) {
				mine.Table = a.Table + "__" + w.names() + "_refs"
				checkDerived(l.faults, at, mine.Table)
			}
			if o, ok := at.Tag.Option("checked"); ok && a.Root != nil {
				l.add(o.Pos, RuleAssociation, "delete it, or check the reference in "+a.Root.Struct.Name, "checked on %s: %s is a part, and only an aggregate with a version can check references", at.GoName(), a.Struct.Name)
			}
			l.emptied(&mine)
			a.Associations = append(a.Associations, &mine)
		}
		l.whole(a.Attributes)
	}
	for _, o := range l.model.Objects {
		l.whole(o.Attributes)
	}
}

// association resolves the association of an attribute; nil if it has none or is invalid.
func (l *associationLinker) association(at *Attribute) *Association {
	o, ok := at.Tag.Option("association")
	if !ok {
		l.misplaced(at.Tag, "without association=", "checked")
		if d, ok := at.Tag.Option("ondelete"); ok && !at.Tag.Has("copy") {
			l.add(d.Pos, RuleMisplacedOption, "delete it, or add association= and checked, or copy=", "ondelete has no effect without association= or copy=")
		}
		return nil
	}
	target, field := l.referred(o.Value)
	if target == nil {
		l.add(o.Pos, RuleAssociation, "write the name of a root's struct"+l.nearestRoot(o.Value), "association=%s: there is no root %s", o.Value, o.Value)
		return nil
	}
	if target.unread || len(target.Identifier) == 0 { // its key has another fault
		return nil
	}
	x := &Association{Attribute: at, Target: target, Many: at.Type.Kind == List || at.Type.Kind == Set, Checked: at.Tag.Has("checked")}
	if field != "" {
		i := slices.IndexFunc(target.Key(), func(k *Attribute) bool { return k.GoName() == field })
		if i < 0 {
			l.add(o.Pos, RuleAssociation, "use a field of its key", "association=%s: %s is not part of the key of %s", o.Value, field, target.Struct.Name)
			return nil
		}
		x.Of = target.Key()[i]
	}
	if why, fix := x.mismatch(o.Value); why != "" {
		l.add(o.Pos, RuleAssociation, fix, "association=%s: %s", o.Value, why)
		return nil
	}
	if c, ok := at.Tag.Option("checked"); ok && l.model.foreign(target) {
		l.add(c.Pos, RuleAssociation, "delete it, or declare both in one package", "checked: %s belongs to another package, whose store does not know its references", target.Struct.Name)
	}
	l.onDelete(at, x)
	at.Association = x
	return x
}

// unresolved reports whether the association of an attribute is itself invalid, which is reported where it is linked.
func unresolved(at *Attribute) bool { return at.Tag.Has("association") && at.Association == nil }

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
func (l *associationLinker) onDelete(at *Attribute, x *Association) {
	o, given := at.Tag.Option("ondelete")
	x.OnDelete = Restrict
	if !given {
		return
	}
	x.OnDelete = OnDelete(o.Value)
	switch {
	case !x.Checked:
		l.add(o.Pos, RuleMisplacedOption, "add checked, or delete it", "ondelete has no effect on an association that is not checked")
	case !slices.Contains([]OnDelete{Restrict, Cascade, Clear}, x.OnDelete):
		l.add(o.Pos, RuleOnDelete, "write restrict, cascade or clear", "ondelete=%s is not supported for a checked association", o.Value)
	case x.OnDelete == Clear && at.Fixed:
		l.add(o.Pos, RuleOnDelete, "delete final, or use another ondelete=", "ondelete=clear: %s is final", at.GoName())
	case x.OnDelete == Clear && (at.Key || at.Mandatory || !x.Many && !at.Type.canBeNil()):
		l.add(o.Pos, RuleOnDelete, "use a pointer that is not required, outside the key, or another ondelete=", "ondelete=clear: %s cannot be null", at.GoName())
	case x.OnDelete == Clear:
		for _, rule := range []string{"any", "required", "min"} {
			if r, has := at.Tag.Option(rule); has && (rule != "required" || at.Tag.Has("xor")) && r.Value != "0" {
				l.add(o.Pos, RuleOnDelete, "delete "+r.String()+", or use another ondelete=", "ondelete=clear: a row of which %s is cleared can violate %s", at.GoName(), r)
			}
		}
	}
}

// emptied refuses to clear a reference in a composition that must have a value, and none of whose other fields always has one: a composition
// that is not frozen is null without values.
func (l *associationLinker) emptied(x *Association) {
	if x.OnDelete != Clear || !x.Checked {
		return
	}
	at := x.Path[0]
	present := func(f *Attribute) bool { return !f.Type.canBeNil() }
	if len(x.Path) == 1 || at.Type.Kind != Composed || at.Frozen() || slices.ContainsFunc(at.Type.Object.Attributes, present) {
		return
	}
	if rule := required(at); rule != "" {
		o, _ := x.Attribute.Tag.Option("ondelete")
		l.add(o.Pos, RuleOnDelete, "delete "+rule+" on "+at.GoName()+", or use another ondelete=", "ondelete=clear: %s without %s can have no value, which violates %s",
			at.GoName(), x.Attribute.GoName(), rule)
	}
}

// required returns the option of an attribute that requires a value; "" if there is none.
func required(at *Attribute) string {
	for _, rule := range []string{"required", "any"} {
		if r, has := at.Tag.Option(rule); has {
			return r.String()
		}
	}
	return ""
}

// whole refuses references with missing key fields or with fields whose options differ.
func (l *associationLinker) whole(in []*Attribute) {
	for _, r := range references(in) {
		first := r.fields[0]
		o, _ := first.Tag.Option("association")
		for _, k := range r.target.Key() {
			if !r.holds(k) {
				l.add(o.Pos, RuleAssociation, "add a field with association="+o.Value[:strings.LastIndex(o.Value, ".")+1]+k.GoName(), "association=%s: the key of %s also contains %s", o.Value, r.target.Struct.Name, k.GoName())
			}
		}
		for _, at := range r.fields[1:] {
			if x, y := at.Association, first.Association; x.Checked != y.Checked || x.OnDelete != y.OnDelete {
				o, _ := at.Tag.Option("association")
				l.add(o.Pos, RuleAssociation, "write checked and ondelete= on each field of the reference", "association=%s: %s and %s are fields of one reference and have different options", o.Value, first.GoName(), at.GoName())
			}
		}
	}
}
