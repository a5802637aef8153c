package diagram

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// treeBuilder builds the nodes of one aggregate.
type treeBuilder struct {
	d    *amlDrawing
	a    *model.Aggregate
	of   *model.Aggregate // the aggregate or part whose attributes are drawn
	link string
}

// tree builds the nodes of an aggregate.
func (d *amlDrawing) tree(a *model.Aggregate) *node {
	b := &treeBuilder{d: d, a: a, of: a}
	if d.link != nil {
		b.link = d.link(Node{Aggregate: a})
	}
	n := &node{name: b.name(a.Struct.Name), thick: true, root: true}
	n.notes = d.notes(a)
	n.foot = d.foot(a)
	b.fill(n, a.Attributes, a.Disjunctions)
	if s := RemainingTTL(a); s != "" {
		d.use("remaining")
		n.rows = append(n.rows, Text{S: PlainText("+ " + s), Style: body, Color: Ink})
	}
	for _, part := range a.Parts {
		b.part(n, part)
	}
	n.finish()
	return n
}

// finish sets the sizes of the node and of those below it.
func (n *node) finish() {
	for _, k := range n.kids {
		k.finish()
	}
	slices.SortStableFunc(n.exits, func(x, y *exit) int {
		switch {
		case x.self == y.self:
			return 0
		case x.self:
			return -1
		}
		return 1
	})
	n.measure()
}

// part adds a part of the root: an entity whose rows are read separately.
func (b *treeBuilder) part(n *node, part *model.Aggregate) {
	of, link := b.of, b.link
	b.of = part
	if b.d.link != nil {
		b.link = b.d.link(Node{Aggregate: part})
	}
	child := &node{name: b.name(part.Struct.Name), thick: true, notes: b.d.notes(part), foot: b.d.foot(part)}
	b.fill(child, part.Attributes, part.Disjunctions)
	b.of, b.link = of, link
	many := "[*] "
	if Single(part) {
		many = "[0..1] "
	}
	n.kids = append(n.kids, &kid{child, []*edge{{label: many + b.d.use("«part»")}}})
	b.d.use("composition")
}

// name returns the name of a member, with the name of its aggregate in the notation with members.
func (b *treeBuilder) name(of string) string {
	if b.d.members {
		return PlainText(b.a.Table + "::" + of)
	}
	return PlainText(of)
}

// fill adds attributes to a node: rows, kids, and references.
func (b *treeBuilder) fill(n *node, attributes []*model.Attribute, groups []*model.Disjunction) {
	n.link = b.link
	b.d.use(map[bool]string{true: "entity", false: "value"}[n.thick])
	circles := map[*model.Disjunction]*node{}
	for _, g := range groups {
		if slices.ContainsFunc(g.Members, b.isLine) {
			circles[g] = &node{circle: true}
			many := " [0..1]"
			if g.Mandatory {
				many = " [1]"
			}
			n.kids = append(n.kids, &kid{circles[g], []*edge{{label: PlainText(g.Name + many), dashed: true, choice: true}}})
			b.d.use("xor")
		}
	}
	lines := map[*model.Reference]*exit{}
	references := model.References(attributes)
	for _, at := range attributes {
		if at.Hidden() {
			continue
		}
		from := n
		if c := circles[at.Disjunction]; c != nil && at.Disjunction.Column != at {
			from = c
		}
		if as := at.Association; as != nil && as.Of != nil && b.refers(at) {
			i := slices.IndexFunc(references, func(r *model.Reference) bool { return slices.Contains(r.Fields, at) })
			b.field(n, at, references[i], lines)
			continue
		}
		b.attribute(n, from, at)
	}
}

// isLine reports whether an attribute is drawn as a line to another node.
func (b *treeBuilder) isLine(at *model.Attribute) bool {
	return composed(at) != nil || b.refers(at)
}

// refers reports whether an attribute is drawn as a reference.
func (b *treeBuilder) refers(at *model.Attribute) bool {
	return at.Association != nil && b.d.roots[AggregateKey(at.Association.Target)]
}

// attribute adds an attribute: a row of the node, or a line from it.
func (b *treeBuilder) attribute(n, from *node, at *model.Attribute) {
	if b.refers(at) {
		b.reference(from, at)
		if at.Key {
			n.rows = append(n.rows, b.row(at))
		}
		return
	}
	object := composed(at)
	if object == nil {
		n.rows = append(n.rows, b.row(at))
		return
	}
	e := &edge{label: b.label(at), mandatory: b.mandatory(at), key: b.d.types.Qualifier(at)}
	if b.derives(at) {
		e.dashed = true
		b.d.use("from")
	}
	b.d.use("composition")
	if e.key != "" {
		b.d.use("qualifier")
	}
	name := b.name(object.Struct.Name)
	if k := b.same(from, object, name); k != nil {
		k.edges = append(k.edges, e)
		if !FinalValues(at) {
			k.above = nil
		}
		return
	}
	child := &node{name: name, above: b.stereotypes(at, object), thick: object.Entity, object: object}
	b.fill(child, object.Attributes, object.Disjunctions)
	if c := at.Copy; c != nil && b.d.roots[AggregateKey(c.Target)] {
		child.exits = append(child.exits, &exit{label: b.d.use("«copy»"), target: AggregateKey(c.Target), dashed: true})
	}
	from.kids = append(from.kids, &kid{child, []*edge{e}})
}

// row returns the line of an attribute.
func (b *treeBuilder) row(at *model.Attribute) Text {
	t := Text{Style: body, Color: Ink, Underline: b.mandatory(at)}
	if mark := Visibility(b.of, at); mark == "#" || mark == "~" {
		t.Color = Key
	}
	s := b.d.signed(b.of, at) + ": " + b.d.types.Name(at.Type) + multiplicity(at)
	if as := at.Association; as != nil && !b.d.roots[AggregateKey(as.Target)] {
		s += " → " + as.Target.Struct.Name
		b.d.use("→")
	}
	s += b.origin(at)
	for _, property := range b.d.properties(b.of, at) {
		s += " " + property
	}
	if group := disjunction(at); group != "" {
		b.d.use("xor")
		s += " " + group
	}
	t.S = PlainTo(s, maxRowLetters)
	return t
}

// origin returns where the value of an attribute comes from, if it has another name there: the method that computes it, or the path.
func (b *treeBuilder) origin(at *model.Attribute) string {
	o := at.Origin
	if o == nil || o.Path == nil || len(o.Path.Steps) == 0 || !at.Tag.Has("from") {
		return ""
	}
	path := strings.TrimPrefix(o.Path.String(), o.Path.Source.Struct.Name+".")
	if o.Path.Method() != nil {
		b.d.use("=")
		return " = " + path
	}
	if path == at.GoName() || strings.HasSuffix(path, "."+at.GoName()) {
		return ""
	}
	b.d.use("←")
	return " ← " + path
}

// same returns the kid of a node that is drawn for the same struct, so that it is drawn once; nil for none.
func (b *treeBuilder) same(from *node, object *model.Object, name string) *kid {
	for _, k := range from.kids {
		if k.object == object && k.name == name {
			return k
		}
	}
	return nil
}

// mandatory reports whether an attribute is underlined: it always has a value.
func (b *treeBuilder) mandatory(at *model.Attribute) bool {
	if !Mandatory(at) {
		return false
	}
	b.d.use("mandatory")
	return true
}

// stereotypes returns the lines above the name of a struct.
func (b *treeBuilder) stereotypes(at *model.Attribute, object *model.Object) []string {
	switch {
	case object.UDT == "":
		return []string{b.d.use("«tuple»")}
	case FinalValues(at):
		return []string{b.d.use("«final»")}
	}
	return nil
}

// label returns the name of a line, with its signs, its multiplicity and its properties.
func (b *treeBuilder) label(at *model.Attribute) string {
	s := b.d.signed(b.of, at)
	if inner := b.d.types.Inner(at.Type); inner != "" && composed(at) != nil {
		s += ": " + inner
	}
	s += multiplicity(at)
	for _, p := range b.d.properties(b.of, at) {
		s += " " + p
	}
	return PlainTo(s, maxRowLetters)
}

// derives reports whether a composition of a redundant aggregate is a copy of values of its source.
func (b *treeBuilder) derives(at *model.Attribute) bool {
	return at.Tag.Has("from") || at.Tag.Has("copy")
}

// reference adds the line of an association.
func (b *treeBuilder) reference(from *node, at *model.Attribute) *exit {
	as := at.Association
	b.d.use("association")
	e := &exit{label: b.label(at), mandatory: b.mandatory(at), target: AggregateKey(as.Target), self: from.root && AggregateKey(as.Target) == AggregateKey(b.a)}
	from.exits = append(from.exits, e)
	return e
}

// field adds a field of a reference by several fields. The first one adds its line, to which the others belong.
func (b *treeBuilder) field(n *node, at *model.Attribute, r *model.Reference, lines map[*model.Reference]*exit) {
	n.rows = append(n.rows, b.row(at))
	if lines[r] == nil {
		lines[r] = b.reference(n, at)
		return
	}
	lines[r].label = PlainTo(lines[r].label+", "+at.GoName(), maxRowLetters)
}
