package model

import (
	"slices"
)

// parts links the entities that are rows of a root's aggregate to their roots.
func (b *builder) parts() {
	for _, a := range b.model.Aggregates {
		o, ok := a.Tag.Option("part")
		if !ok {
			continue
		}
		i := slices.IndexFunc(b.model.Aggregates, func(r *Aggregate) bool { return r.Struct.Name == o.Value })
		if i < 0 {
			b.add(o.Pos, RulePart, "name the struct of the root", "part=%s: %s", o.Value, b.noAggregate(o.Value))
			continue
		}
		root := b.model.Aggregates[i]
		why, fix := part(a, root)
		if why != "" {
			b.add(o.Pos, RulePart, fix, "part=%s: %s", o.Value, why)
		}
		if a.Root = root; !root.Tag.Has("part") {
			a.InRootTable = a.Table == root.Table
			root.Parts = append(root.Parts, a)
			b.partMarker(a)
		}
	}
	for _, a := range b.model.Aggregates {
		b.partTables(a)
	}
}

// partMarker judges what else the marker of a part says.
func (b *builder) partMarker(a *Aggregate) {
	b.misplaced(a.Tag, "on a part: its rows are no values of another table", "final")
	for _, o := range a.Tag.Options {
		if a.InRootTable && slices.Contains([]string{"comment", "gc_grace", "with", "was"}, o.Key) {
			b.add(o.Pos, RuleMisplacedOption, "write it on the marker of "+a.Root.Struct.Name, "%s means nothing on %s: its rows stand in the table of %s", o.Key, a.Struct.Name, a.Root.Struct.Name)
		}
	}
}

// part returns why a cannot be a part of root, and how to fix it; "" is nothing.
func part(a, root *Aggregate) (why, fix string) {
	name := root.Struct.Name
	switch {
	case root == a || root.Tag.Has("part"):
		return name + " is a part itself", "name the struct of a root"
	case root.Tag.Has("redundant"):
		return name + " is redundant, so nothing is written under it", "name the truth that " + name + " is made from"
	case len(root.Discriminators) > 0:
		return name + " has discriminators, and its parts would be rows of another partition", "make it an aggregate of its own"
	case root.Counter:
		return name + " has counters, and counters have no parts", "make it an aggregate of its own"
	case a.Counter:
		return a.Struct.Name + " has counters and cannot be a part", "make it an aggregate of its own"
	case a.unread || root.unread || len(a.Identifier) == 0 || len(root.Identifier) == 0: // there is a fault already
		return "", ""
	}
	return partKey(a, root)
}

// partKey holds the part's identifier against the root's: the same types in the same order, in the root's table the same
// names.
func partKey(a, root *Aggregate) (why, fix string) {
	name := root.Struct.Name
	if len(a.Identifier) != len(root.Identifier) {
		return "its identifiers are not those of " + name, "give it the identifiers of " + name + ", in order, and a discriminator"
	}
	for i, k := range a.Identifier {
		r := root.Identifier[i]
		if !k.Type.same(r.Type) {
			return "its identifier " + k.GoName() + " is " + k.Type.String() + ", that of " + name + " is " + r.Type.String(), "give it the identifiers of " + name + ", in order"
		}
		if a.Table == root.Table && k.Name != r.Name {
			return "its identifier " + k.GoName() + " is stored as " + k.Name + ", that of " + name + " as " + r.Name, "give both one name"
		}
	}
	if a.Table == root.Table && len(a.Discriminators) == 0 {
		return "its rows stand in the table of " + name + ", and it has no discriminator to tell them apart", "add a discriminator, or give it a table of its own"
	}
	return "", ""
}

// partTables judges the parts of a root together.
func (b *builder) partTables(root *Aggregate) {
	var inside []*Aggregate
	for _, p := range root.Parts {
		o, _ := p.Tag.Option("part")
		if p.InRootTable {
			inside = append(inside, p)
		} else if root.Version != nil {
			b.add(o.Pos, RulePart, "name the root's table on the marker", "part=%s: %s has a version, so its parts stand in its own table", o.Value, root.Struct.Name)
		}
		for _, at := range p.Attributes {
			b.misplaced(at.Tag, "in a part", "static", "version", "copy")
			if p.InRootTable && slices.Contains(p.Identifier, at) {
				b.misplaced(at.Tag, "on an identifier of a part in its root's table: write it on the root's", "index")
			}
		}
		for _, w := range walk(p.Attributes) {
			if u, ok := w.attribute().Tag.Option("unique"); ok && !w.attribute().Type.collection() {
				b.add(u.Pos, RuleMisplacedOption, "delete it", "unique on a single value means nothing in a part, and %s is one", p.Struct.Name)
			}
		}
	}
	if len(inside) > 1 {
		o, _ := inside[1].Tag.Option("part")
		b.add(o.Pos, RulePart, "give it a table of its own", "part=%s: the table of %s has the rows of %s already", o.Value, root.Struct.Name, inside[0].Struct.Name)
	}
	if len(inside) == 0 {
		return
	}
	present := root.Version != nil || slices.ContainsFunc(root.Attributes, func(at *Attribute) bool { return at.Mandatory && !at.Key })
	if !present {
		b.add(root.Struct.Pos, RulePart, "mark a field required, or add a version", "%s has rows of %s in its table and no required field, so without them it would not be there", root.Struct.Name, inside[0].Struct.Name)
	}
}
