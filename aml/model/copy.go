package model

import (
	"slices"
	"strings"
)

// copyLinker resolves fields that copy the fields of another root.
type copyLinker struct{ *resolver }

// copies resolves copy=: fields that copy the fields of another root and follow them.
func (l *copyLinker) copies() {
	for _, a := range l.model.Aggregates {
		for n, at := range a.Attributes {
			o, ok := at.Tag.Option("copy")
			switch {
			case !ok:
			case a.Root != nil:
			case a.Tag.Has("redundant"):
				l.add(o.Pos, RuleMisplacedOption, "delete it: a projection can contain the copied fields of its source", "copy has no effect on a redundant aggregate")
			case at.Type.Kind == Composed && !at.Key && l.isWhole(o):
				l.copyWhole(a, at, o)
			case isPart(at):
				l.add(o.Pos, RuleCopy, "copy into a regular field", "copy=%s: %s is part of the key or static", o.Value, at.GoName())
			case at.Type.collection() && l.isWhole(o):
				l.add(o.Pos, RuleCopy, "use a single composition, or read the roots of references with the methods of the store", "copy=%s: %s is %s, and a copy has one root", o.Value, at.GoName(), at.Type)
			default:
				l.copyField(a, at, o, a.Attributes[:n])
			}
		}
		faulty := func(c *Copy) bool { return len(c.Fields) == 0 } // all of them are
		a.Copies, a.FinalCopies = slices.DeleteFunc(a.Copies, faulty), slices.DeleteFunc(a.FinalCopies, faulty)
		for _, c := range a.Copies {
			if o, copied := c.Attribute.Tag.Option("copy"); copied && c.Association != nil {
				l.add(o.Pos, RuleCopy, "use a reference that is not a copy", "copy=%s: %s is the reference of another copy, and would change without it", o.Value, c.Attribute.GoName())
			}
			if c.Checked() {
				c.Table = a.checkedTable(c.Attribute)
				continue
			}
			c.Table = a.Table + "__" + c.Attribute.Name + "_holders"
			checkDerived(l.faults, c.Attribute, c.Table)
		}
	}
}

// checkedTable returns the reverse table of a checked reference, of which a field of the aggregate is the first.
func (a *Aggregate) checkedTable(at *Attribute) string {
	i := slices.IndexFunc(a.Associations, func(x *Association) bool { return len(x.Path) == 1 && x.Attribute == at })
	return a.Associations[i].Table
}

func isPart(at *Attribute) bool { return at.Key || at.Static }

// isWhole reports whether copy= names a root, and not a field of one.
func (l *copyLinker) isWhole(o Option) bool {
	return !strings.Contains(o.Value, ".") || l.target(o.Value) != nil
}

// nearest returns the last association of a root among some attributes; nil for none.
func nearest(in []*Attribute, root string) *Association {
	for _, at := range slices.Backward(in) {
		if x := at.Association; x != nil && x.Target.Struct.Name == root {
			return x
		}
	}
	return nil
}

// copyWhole resolves a composition that contains fields of a root and its key.
func (l *copyLinker) copyWhole(a *Aggregate, at *Attribute, o Option) {
	target := l.target(o.Value)
	switch {
	case target == nil:
		l.add(o.Pos, RuleCopy, "write the name of a root's struct"+l.nearestRoot(o.Value), "copy=%s: there is no root %s", o.Value, o.Value)
		return
	case l.model.foreign(target):
		l.add(o.Pos, RuleCopy, "declare both in one package", "copy=%s: %s belongs to another package, whose store does not know its copies", o.Value, target.Struct.Name)
		return
	}
	c := &Copy{Attribute: at, Target: target, OnDelete: l.copyOnDelete(at)}
	fields := slices.DeleteFunc(slices.Clone(at.Type.Object.Attributes), (*Attribute).Hidden)
	for _, f := range fields {
		if l.copied(c, f, f.GoName(), o) {
			l.wholeField(c, f, o)
		}
	}
	for _, k := range target.Key() {
		if !slices.ContainsFunc(fields, func(f *Attribute) bool { return f.GoName() == k.GoName() }) {
			l.add(o.Pos, RuleCopy, "add the field to "+at.Type.Object.Struct.Name, "copy=%s: %s does not have the whole key of %s: %s is missing", o.Value, at.Type.Object.Struct.Name, target.Struct.Name, k.GoName())
		}
	}
	if len(fields) == len(c.keys) && len(fields) == len(target.Key()) {
		l.add(o.Pos, RuleCopy, "add a field of "+target.Struct.Name+", or use association= on a field", "copy=%s: %s has only the key of %s", o.Value, at.Type.Object.Struct.Name, target.Struct.Name)
	}
	at.Copy = c
	a.Copies = append(a.Copies, c)
}

// wholeField checks a field of a composition that follows a field of a root.
func (l *copyLinker) wholeField(c *Copy, f *Attribute, o Option) {
	from := c.Target.field(f.GoName())
	l.changingCopy(c, f, from)
	for _, k := range c.Target.Key() {
		if m := c.member(k); m != nil && m.Type.canBeNil() && !f.Type.canBeNil() {
			l.mustBePointer(o, m.GoName(), f)
			return
		}
	}
	if from.Type.canBeNil() && !f.Type.canBeNil() {
		l.mustBePointer(o, from.GoName()+" of "+c.Target.Struct.Name, f)
	}
}

// mustBePointer refuses a copy that cannot be nil where something else can.
func (l *copyLinker) mustBePointer(o Option, nilable string, at *Attribute) {
	l.add(o.Pos, RuleCopy, "use a pointer", "copy=%s: %s can be nil, and %s cannot", o.Value, nilable, at.GoName())
}

// copyField resolves a field that follows a field of the root of an association above it.
func (l *copyLinker) copyField(a *Aggregate, at *Attribute, o Option, above []*Attribute) {
	name, field, ok := strings.Cut(o.Value, ".")
	last := nearest(above, name)
	switch {
	case !ok:
		l.add(o.Pos, RuleCopy, "write copy=Root.Field", "copy=%s: the field is missing", o.Value)
		return
	case last == nil && slices.ContainsFunc(above, func(x *Attribute) bool { return refersTo(x, name) || unresolved(x) && l.target(name) != nil }): // the association has a fault of its own
		return
	case last == nil && l.target(name) == nil:
		l.add(o.Pos, RuleCopy, "write the name of a root's struct"+l.nearestRoot(name), "copy=%s: there is no root %s", o.Value, name)
		return
	case last == nil && slices.ContainsFunc(a.Attributes, func(x *Attribute) bool { return refersTo(x, name) }):
		l.add(o.Pos, RuleCopy, "move it below the association", "copy=%s: %s is above the association of %s", o.Value, at.GoName(), name)
		return
	case last == nil:
		l.add(o.Pos, RuleCopy, "add a field with association="+name+" above it", "copy=%s: no field above %s is an association of %s", o.Value, at.GoName(), name)
		return
	case l.model.foreign(last.Target):
		l.add(o.Pos, RuleCopy, "declare both in one package", "copy=%s: %s belongs to another package, whose store does not know its copies", o.Value, name)
		return
	case last.Many:
		l.add(o.Pos, RuleCopy, "use a single reference, or read the roots of the references with the methods of the store", "copy=%s: %s is a collection of references", o.Value, last.Attribute.GoName())
		return
	}
	last = representative(last, a.Attributes)
	all, from := &a.Copies, last.Target.field(field)
	final := from != nil && from.Fixed
	if final {
		all = &a.FinalCopies
	}
	i := slices.IndexFunc(*all, func(c *Copy) bool { return c.Association == last })
	if i < 0 {
		*all = append(*all, &Copy{Attribute: last.Attribute, Target: last.Target, Association: last, OnDelete: last.OnDelete})
		i = len(*all) - 1
	}
	c := (*all)[i]
	switch at.Copy = c; {
	case final:
		l.finalCopy(at, from)
	case from != nil:
		l.fieldOnDelete(at, c)
		l.changingCopy(c, at, from)
	}
	if l.copied(c, at, field, o) {
		l.nilCopy(a, c, at, from, o)
	}
}

// field returns the field with a Go name, or nil if there is none.
func (a *Aggregate) field(name string) *Attribute {
	i := slices.IndexFunc(a.Attributes, func(x *Attribute) bool { return x.GoName() == name })
	if i < 0 {
		return nil
	}
	return a.Attributes[i]
}

// finalCopy checks a copy of a field that never changes.
func (l *copyLinker) finalCopy(at, from *Attribute) {
	c := at.Copy
	if d, ok := at.Tag.Option("ondelete"); ok {
		l.add(d.Pos, RuleMisplacedOption, "delete it", "ondelete has no effect on a copy of %s.%s, which is final: the copy stays if its %s is deleted", c.Target.Struct.Name, from.GoName(), c.Target.Struct.Name)
	}
	if x, ok := at.Tag.Option("xor"); ok {
		l.add(x.Pos, RuleCopy, "delete it, or write xor= on the reference", "xor=%s: %s follows from %s, and cannot be an alternative", x.Value, at.GoName(), c.Attribute.GoName())
	}
}

// changingCopy checks a copy of a field that can change: whatever the new value is, the copy follows.
func (l *copyLinker) changingCopy(c *Copy, at, from *Attribute) {
	of := c.Target.Struct.Name + "." + from.GoName()
	if u, ok := at.Tag.Option("unique"); ok && c.Association != nil { // unique has no effect in a composition that is a copy
		l.add(u.Pos, RuleCopy, "delete it, and write unique on "+of, "%s: %s follows %s, and several roots can refer to one", u, at.GoName(), of)
	}
	for _, option := range []string{"any", "xor"} {
		if x, ok := at.Tag.Option(option); ok {
			l.add(x.Pos, RuleCopy, "delete it, or write "+x.String()+" on the reference", "%s: %s follows %s, and a change of it could violate the rule", x, at.GoName(), of)
		}
	}
	if r, ok := at.Tag.Option("required"); ok && c.OnDelete == Clear {
		l.add(r.Pos, RuleCopy, "delete it, or use another ondelete= on "+c.Attribute.GoName(), "required: %s is nil after %s is cleared", at.GoName(), c.Attribute.GoName())
	}
}

// nilCopy checks that a copy can have the values of the field that it copies, and be nil where its reference is.
func (l *copyLinker) nilCopy(a *Aggregate, c *Copy, at, from *Attribute, o Option) {
	for _, r := range referenceFields(a.Attributes, c.Attribute) {
		switch {
		case r.Static:
			l.add(o.Pos, RuleCopy, "use a reference that is not static", "copy=%s: %s is static: a write of one row changes it for the whole partition, and the copies in the other rows would stay", o.Value, r.GoName())
		case r.Type.canBeNil() && !at.Type.canBeNil():
			l.mustBePointer(o, r.GoName(), at)
			return
		}
	}
	if from.Type.canBeNil() && !at.Type.canBeNil() {
		l.mustBePointer(o, from.GoName()+" of "+c.Target.Struct.Name, at)
	}
}

// referenceFields returns the fields of the reference to which a field belongs.
func referenceFields(in []*Attribute, at *Attribute) []*Attribute {
	for _, r := range references(in) {
		if slices.Contains(r.fields, at) {
			return r.fields
		}
	}
	return []*Attribute{at}
}

// representative returns the association that represents a reference of several fields: the one with the first field of the key. The
// names of derived tables come from it.
func representative(x *Association, in []*Attribute) *Association {
	if x.Of == nil {
		return x
	}
	for _, r := range references(in) {
		if !slices.Contains(r.fields, x.Attribute) {
			continue
		}
		for _, f := range r.fields {
			if f.Association.Of == x.Target.Key()[0] {
				return f.Association
			}
		}
	}
	return x
}

// refersTo reports whether a field was meant as an association of a root.
func refersTo(at *Attribute, root string) bool {
	o, ok := at.Tag.Option("association")
	return ok && (o.Value == root || strings.HasPrefix(o.Value, root+"."))
}

// fieldOnDelete reads the ondelete= of a single field; all fields that follow one association have the same.
func (l *copyLinker) fieldOnDelete(at *Attribute, c *Copy) {
	o, ok := at.Tag.Option("ondelete")
	switch {
	case !ok:
		return
	case c.Checked():
		l.add(o.Pos, RuleMisplacedOption, "delete it", "ondelete has no effect here: %s is checked, and its ondelete= decides", c.Attribute.GoName())
		return
	}
	d := l.copyOnDelete(at)
	for _, f := range c.Fields {
		if f.Held.Tag.Has("ondelete") && d != c.OnDelete {
			l.add(o.Pos, RuleOnDelete, "write the same value on both, or on one of them", "%s: %s follows the same root and has ondelete=%s", o, f.Held.GoName(), c.OnDelete)
			return
		}
	}
	c.OnDelete = d
}

// copied adds a field to a copy, or reports why it cannot follow the field of the target.
func (l *copyLinker) copied(c *Copy, held *Attribute, name string, o Option) (ok bool) {
	from := c.Target.field(name)
	if from == nil {
		l.add(o.Pos, RuleCopy, "use a field of "+c.Target.Struct.Name+nearestField(name, c.Target.Attributes), "copy=%s: %s has no field %s", o.Value, c.Target.Struct.Name, name)
		return false
	}
	switch {
	case from.Key && c.Association != nil:
		l.add(o.Pos, RuleCopy, "use the reference, or copy another field", "copy=%s: %s is in the key of %s, which the reference contains", o.Value, name, c.Target.Struct.Name)
	case from.Tag.Has("copy"):
		l.add(o.Pos, RuleCopy, "copy it from its root", "copy=%s: %s of %s is a copy itself", o.Value, name, c.Target.Struct.Name)
	case !from.Type.same(held.Type):
		l.add(o.Pos, RuleCopy, "use the same type for both", "copy=%s: %s is %s, that of %s is %s", o.Value, held.GoName(), held.Type, c.Target.Struct.Name, from.Type)
	case c.Association != nil && held.Frozen() != from.Frozen():
		l.add(o.Pos, RuleCopy, "write final on both or on none", "copy=%s: one of %s and %s of %s is frozen, and the other is not", o.Value, held.GoName(), name, c.Target.Struct.Name)
	case !from.Fixed && from.Type.hasChecked():
		l.add(o.Pos, RuleCopy, "copy its other fields, or delete checked", "copy=%s: %s of %s contains a checked reference, and a copy of it could refer to a root that has been deleted", o.Value, name, c.Target.Struct.Name)
	case from.Static || from.Counter || from == c.Target.Version:
		l.add(o.Pos, RuleCopy, "copy another field", "copy=%s: %s is static or maintained by the store", o.Value, name)
	case from.Key:
		c.keys = append(c.keys, CopiedField{Held: held, From: from})
	default:
		c.Fields = append(c.Fields, CopiedField{Held: held, From: from})
		return true
	}
	return false
}

// hasChecked reports whether a value object of the type, at any depth, has a checked reference.
func (t *Type) hasChecked() bool {
	if t == nil {
		return false
	}
	if t.Object != nil && slices.ContainsFunc(t.Object.Attributes, func(at *Attribute) bool { return at.Tag.Has("checked") || at.Type.hasChecked() }) {
		return true
	}
	return t.Elem.hasChecked() || t.Key.hasChecked()
}

// copyOnDelete reads the ondelete= of a copy.
func (l *copyLinker) copyOnDelete(at *Attribute) OnDelete {
	o, ok := at.Tag.Option("ondelete")
	if !ok {
		return Restrict
	}
	if d := OnDelete(o.Value); d == Restrict || d == Keep {
		return d
	}
	l.add(o.Pos, RuleOnDelete, "write restrict or keep", "ondelete=%s is not supported for a copy", o.Value)
	return Restrict
}
