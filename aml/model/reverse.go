package model

import "slices"

// reverseTables completes the references for which the store keeps a reverse table.
type reverseTables struct {
	*resolver
	used map[*Attribute]bool // the fields whose rows= declares the rows of a reverse table
}

// rows sets the expected rows of the reverse tables, and refuses rows= on any other field.
func (l *reverseTables) rows() {
	l.used = map[*Attribute]bool{}
	for _, a := range l.model.Aggregates {
		for _, x := range a.Associations {
			if x.Checked {
				fields := l.fields(a, x.Attribute)
				n := l.declared(fields)
				if x.Table != "" {
					x.Rows, x.Fields = n, ordered(fields, x.Target)
					l.reachable(x)
				}
			}
		}
		for _, c := range a.Copies {
			c.Rows = l.declared(l.fields(a, c.Attribute))
		}
	}
	l.cascades()
	seen := map[*Attribute]bool{}
	for _, a := range l.model.Aggregates {
		for _, w := range walk(a.Attributes) {
			at := w.attribute()
			if o, ok := at.Tag.Option("rows"); ok && !l.used[at] && !seen[at] && !unresolved(at) {
				seen[at] = true
				l.add(o.Pos, RuleMisplacedOption, "delete it, or add checked or copy=", "rows has no effect on %s: it is the number of rows that refer to one target by checked, or that copy it", at.GoName())
			}
		}
	}
}

// cascades refuses a reference that deletes a root to which another reference restricts deletions.
func (l *reverseTables) cascades() {
	for _, a := range l.model.Aggregates {
		for _, x := range a.Associations {
			if x.Table == "" || x.OnDelete != Cascade {
				continue
			}
			if by := l.restricting(a); by != "" {
				o, _ := x.Attribute.Tag.Option("ondelete")
				l.add(o.Pos, RuleCascade, "write ondelete=cascade or ondelete=clear on "+by+", or ondelete=restrict here",
					"ondelete=cascade: a deletion of %s deletes %s, which %s can refuse", x.Target.Struct.Name, a.Struct.Name, by)
			}
		}
	}
}

// restricting returns the struct and the fields of a reference that restricts the deletion of a root, Paper.Author; "" for none: it is checked,
// or fields follow it.
func (l *reverseTables) restricting(target *Aggregate) string {
	for _, a := range l.model.Aggregates {
		for _, x := range a.Associations {
			if x.Table != "" && x.Target == target && x.OnDelete == Restrict {
				return a.Struct.Name + "." + (&Path{Steps: x.Path}).GoNames()
			}
		}
		for _, c := range a.Copies {
			if c.Target == target && c.OnDelete == Restrict {
				return a.Struct.Name + "." + c.Attribute.GoName()
			}
		}
	}
	return ""
}

// ordered returns the fields of a reference in the order of the target's key.
func ordered(fields []*Attribute, target *Aggregate) []*Attribute {
	number := func(at *Attribute) int { return slices.Index(target.Key(), at.Association.Of) }
	return slices.SortedFunc(slices.Values(fields), func(a, b *Attribute) int { return number(a) - number(b) })
}

// reachable refuses a checked reference in a collection of a collection.
func (l *reverseTables) reachable(x *Association) {
	collections := 0
	for _, at := range x.Path {
		if at.Type.collection() {
			collections++
		}
	}
	if collections > 1 {
		o, _ := x.Attribute.Tag.Option("checked")
		l.add(o.Pos, RuleAssociation, "delete it, or make the inner collection a part or an aggregate", "checked on %s: it is in a collection inside a collection, where references are not checked", x.Attribute.GoName())
	}
}

// fields returns the fields of the reference that an attribute belongs to: the attribute alone unless the key of its target has several.
func (l *reverseTables) fields(a *Aggregate, at *Attribute) []*Attribute {
	siblings := a.Attributes
	for _, o := range l.model.Objects {
		if containsAttribute(o.Attributes, at) {
			siblings = o.Attributes
		}
	}
	return referenceFields(siblings, at)
}

// declared returns the rows= of the fields of a reference, which only one of them needs; 0: none.
func (l *reverseTables) declared(fields []*Attribute) (rows int) {
	for _, at := range fields {
		n := at.Tag.number("rows", 0)
		if o, ok := at.Tag.Option("rows"); ok && rows > 0 && n != rows && !l.used[at] {
			l.add(o.Pos, RuleMisplacedOption, "write rows= on one of them", "rows=%s: another field of the same reference has rows=%d", o.Value, rows)
		}
		l.used[at] = true
		rows = max(rows, n)
	}
	return rows
}
