package model

import (
	"slices"
)

// partLinker links parts to their roots.
type partLinker struct{ *resolver }

// parts links parts to their roots.
func (l *partLinker) parts() {
	for _, a := range l.model.Aggregates {
		o, ok := a.Tag.Option("part")
		if !ok {
			continue
		}
		i := slices.IndexFunc(l.model.Aggregates, func(r *Aggregate) bool { return r.Struct.Name == o.Value })
		if i < 0 {
			l.add(o.Pos, RulePart, "write the name of the root's struct", "part=%s: %s", o.Value, l.noAggregate(o.Value))
			continue
		}
		root := l.model.Aggregates[i]
		why, fix := part(a, root)
		if why != "" {
			l.add(o.Pos, RulePart, fix, "part=%s: %s", o.Value, why)
		}
		if a.Root = root; !root.Tag.Has("part") {
			a.InRootTable = a.Table == root.Table
			root.Parts = append(root.Parts, a)
			l.partMarker(a)
		}
	}
	for _, a := range l.model.Aggregates {
		l.partTables(a)
	}
}

// partMarker checks the other options on the marker of a part.
func (l *partLinker) partMarker(a *Aggregate) {
	l.misplaced(a.Tag, "on a part: its rows are not values in another table", "final")
	for _, o := range a.Tag.Options {
		if a.InRootTable && slices.Contains([]string{"comment", "gc_grace", "with", "was"}, o.Key) {
			l.add(o.Pos, RuleMisplacedOption, "write it on the marker of "+a.Root.Struct.Name, "%s has no effect on %s: its rows are in the table of %s", o.Key, a.Struct.Name, a.Root.Struct.Name)
		}
	}
}

// part returns why a cannot be a part of root, and how to fix it; "" if it can.
func part(a, root *Aggregate) (why, fix string) {
	name := root.Struct.Name
	switch {
	case root == a || root.Tag.Has("part"):
		return name + " is a part itself", "write the name of a root's struct"
	case root.Tag.Has("redundant"):
		return name + " is redundant, so it cannot have parts", "write the name of the source of " + name
	case len(root.Discriminators) > 0:
		return name + " has discriminators, and its parts would be rows of another partition", "make it a separate aggregate"
	case root.Counter:
		return name + " has counters, so it cannot have parts", "make it a separate aggregate"
	case a.Counter:
		return a.Struct.Name + " has counters and cannot be a part", "make it a separate aggregate"
	case a.unread || root.unread || len(a.Identifier) == 0 || len(root.Identifier) == 0: // there is a fault already
		return "", ""
	}
	return partKey(a, root)
}

// partKey compares the identifier of the part with the root's: the types and their order are the same, in the root's table also
// the names.
func partKey(a, root *Aggregate) (why, fix string) {
	name := root.Struct.Name
	if len(a.Identifier) != len(root.Identifier) {
		return "its identifiers are not those of " + name, "declare the identifiers of " + name + ", in order, and a discriminator"
	}
	for i, k := range a.Identifier {
		r := root.Identifier[i]
		if !k.Type.same(r.Type) {
			return "its identifier " + k.GoName() + " is " + k.Type.String() + ", that of " + name + " is " + r.Type.String(), "declare the identifiers of " + name + ", in order"
		}
		if a.Table == root.Table && k.Name != r.Name {
			return "its identifier " + k.GoName() + " is stored as " + k.Name + ", that of " + name + " as " + r.Name, "use the same name for both"
		}
	}
	if a.Table == root.Table && len(a.Discriminators) == 0 {
		return "its rows are in the table of " + name + ", and it has no discriminator that distinguishes them", "add a discriminator, or use a separate table"
	}
	return "", ""
}

// separatePartFix returns how to move a part of a versioned root from a separate table into the table of the root.
func separatePartFix(p, root *Aggregate) string {
	return "write " + root.Table + " for " + p.Table + " on the marker; if there are rows, the new store's InsertWith copies each " + root.Struct.Name +
		" with its parts, from GetWith… of the earlier store"
}

// partTables checks the parts of a root together.
func (l *partLinker) partTables(root *Aggregate) {
	var inside []*Aggregate
	for _, p := range root.Parts {
		o, _ := p.Tag.Option("part")
		if p.InRootTable {
			inside = append(inside, p)
		} else if root.Version != nil {
			l.add(o.Pos, RulePart, separatePartFix(p, root), "part=%s: %s has a version, so its parts must be in its table", o.Value, root.Struct.Name)
		}
		for _, at := range p.Attributes {
			l.misplaced(at.Tag, "in a part", "static", "version")
			if o, ok := at.Tag.Option("copy"); ok {
				l.add(o.Pos, RuleCopy, "copy into "+root.Struct.Name, "%s: %s is a part, and a copy belongs to an aggregate with a version", o, p.Struct.Name)
			}
			if p.InRootTable && slices.Contains(p.Identifier, at) {
				l.misplaced(at.Tag, "on an identifier of a part in its root's table: write it on the root's", "index")
			}
		}
		for _, w := range walk(p.Attributes) {
			if u, ok := w.attribute().Tag.Option("unique"); ok && !w.attribute().Type.collection() {
				l.add(u.Pos, RuleMisplacedOption, "delete it", "unique on a single value has no effect in a part, and %s is a part", p.Struct.Name)
			}
		}
	}
	if len(inside) > 1 {
		o, _ := inside[1].Tag.Option("part")
		l.add(o.Pos, RulePart, "use a separate table", "part=%s: the table of %s already contains the rows of %s", o.Value, root.Struct.Name, inside[0].Struct.Name)
	}
	if o, ok := root.Tag.Option("headrow"); ok && (root.Version == nil || len(inside) == 0) {
		l.add(o.Pos, RuleMisplacedOption, "delete it", "headrow has no effect on %s: it is for a root with a version and a part in its table", root.Struct.Name)
	}
	if len(inside) == 0 {
		return
	}
	present := root.Version != nil || slices.ContainsFunc(root.Attributes, func(at *Attribute) bool { return at.Mandatory && !at.Key })
	if !present {
		l.add(root.Struct.Pos, RulePart, "add required to a field, or add a version", "%s has the rows of %s in its table and no required field, so it would not exist without them", root.Struct.Name, inside[0].Struct.Name)
	}
}
