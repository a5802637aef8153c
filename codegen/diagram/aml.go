package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// drawAML draws roots, their parts and redundant aggregates in the notation of the Aggregate Modeling Language. With members, an
// aggregate is shown by names such as Customer::Vehicle; otherwise as a package around its members.
func drawAML(models []Model, roots []*model.Aggregate, members bool) *Picture {
	d := &amlDrawing{members: members, roots: roots, labels: map[*model.Aggregate][]string{}}
	count := 0
	for _, root := range roots {
		for _, a := range append([]*model.Aggregate{root}, follow(root)...) {
			count++
			_, references := d.tree(a)
			for _, r := range references {
				d.labels[r.target] = append(d.labels[r.target], r.label)
			}
		}
	}
	for _, root := range roots {
		d.groups = append(d.groups, d.group(root))
	}
	p := d.route()
	p.Title = "Aggregates of " + nameOf(models)
	p.About = fmt.Sprintf("%d aggregates in the notation of AML, each with its entities and value objects, and the references between them.", count)
	return p.framed(p.Title, amlLegend(d.used))
}

// amlDrawing is a drawing of a model.
type amlDrawing struct {
	members bool
	roots   []*model.Aggregate
	groups  []*group
	labels  map[*model.Aggregate][]string // of the references to each aggregate
	used    []string                      // the signs that the drawing has
}

// use notes that the drawing has a sign.
func (d *amlDrawing) use(sign string) string {
	if !slices.Contains(d.used, sign) {
		d.used = append(d.used, sign)
	}
	return sign
}

// node is an entity, a value object, or the circle of a disjunction.
type node struct {
	name   string
	thick  bool
	circle bool
	rows   []Text
	kids   []*edge
	x, y   float64
	w, h   float64
	level  int
}

// edge is a composition.
type edge struct {
	kid       *node
	label     string // the field and its multiplicity
	qualifier string
	dashed    bool // from=: its value is a copy
}

// reference is an association that leaves a node.
type reference struct {
	from   *node
	label  string
	target *model.Aggregate
}

// tree builds the nodes of an aggregate. It returns its root, and the references of all nodes.
func (d *amlDrawing) tree(a *model.Aggregate) (*node, []reference) {
	b := &treeBuilder{d: d, a: a, associated: map[*model.Attribute]*model.Association{}}
	for _, as := range a.Associations {
		if slices.Contains(d.roots, as.Target) { // otherwise the attribute is drawn with the name of its target
			b.associated[as.Attribute] = as
		}
	}
	n := b.node(a.Struct.Name, a.Attributes, a.Disjunctions, true)
	return n, b.references
}

// treeBuilder builds the nodes of one aggregate.
type treeBuilder struct {
	d          *amlDrawing
	a          *model.Aggregate
	associated map[*model.Attribute]*model.Association
	references []reference
}

// node returns the node of a struct with its compositions.
func (b *treeBuilder) node(name string, attributes []*model.Attribute, groups []*model.Disjunction, thick bool) *node {
	n := &node{name: plain(name), thick: thick}
	circles := map[*model.Disjunction]*node{}
	for _, g := range groups {
		if slices.ContainsFunc(g.Members, b.isLine) {
			circles[g] = &node{circle: true, w: circleSize, h: circleSize}
			n.kids = append(n.kids, &edge{kid: circles[g], label: plain(g.Name)})
			b.d.use("xor")
		}
	}
	for _, at := range attributes {
		if at.Hidden() {
			continue
		}
		from := n
		if c := circles[at.Disjunction]; c != nil {
			from = c
		}
		b.attribute(n, from, at)
	}
	n.measure()
	return n
}

// isLine reports whether an attribute is drawn as a line to another node.
func (b *treeBuilder) isLine(at *model.Attribute) bool {
	return objectOf(at.Type) != nil || b.associated[at] != nil
}

// attribute adds an attribute: a line of the node, or a line from it.
func (b *treeBuilder) attribute(n, from *node, at *model.Attribute) {
	object := objectOf(at.Type)
	if as := b.associated[at]; as != nil {
		b.references = append(b.references, reference{from, plain(at.GoName() + multiplicity(at)), as.Target})
		b.d.use("association")
		if !at.Key {
			return
		}
	}
	if object == nil {
		n.rows = append(n.rows, b.d.row(b.a, at))
		return
	}
	name := object.Struct.Name
	if b.d.members {
		name = b.a.Struct.Name + "::" + name
	}
	e := &edge{kid: b.node(name, object.Attributes, object.Disjunctions, object.Entity), label: plain(at.GoName() + multiplicity(at)), qualifier: qualifier(at)}
	if at.Final {
		e.label += " " + b.d.use("«final»")
	}
	if b.a.Redundancy != nil && at.Origin != nil && at.Origin.Object != nil {
		e.dashed = true
		b.d.use("from")
	}
	from.kids = append(from.kids, e)
	b.d.use("composition")
}

// objectOf returns the struct that a value or its elements are, or nil.
func objectOf(t *model.Type) *model.Object {
	for t != nil {
		if t.Object != nil {
			return t.Object
		}
		t = t.Elem
	}
	return nil
}

// row returns the line of an attribute.
func (d *amlDrawing) row(a *model.Aggregate, at *model.Attribute) Text {
	t := Text{Style: body, Color: Ink, Underline: at.Mandatory || at.Key}
	mark := d.use(markOf(a, at))
	if mark == "#" || mark == "~" {
		t.Color = Key
	}
	if t.Underline {
		d.use("mandatory")
	}
	s := mark + " " + at.GoName() + ": " + typeName(at.Type) + multiplicity(at)
	if at.Association != nil && !slices.Contains(d.roots, at.Association.Target) {
		s += " → " + at.Association.Target.Struct.Name
	}
	for _, property := range d.properties(a, at) {
		s += " " + property
	}
	t.S = plain(s)
	return t
}

// markOf returns the visibility of an attribute, as AML uses it.
func markOf(a *model.Aggregate, at *model.Attribute) string {
	switch {
	case slices.Contains(a.Identifier, at):
		return "#"
	case at.Key:
		return "~"
	case at.Static:
		return "/"
	case slices.ContainsFunc(a.Uniques, func(u *model.Unique) bool {
		return slices.ContainsFunc(u.Paths, func(p *model.Path) bool { return p.Steps[len(p.Steps)-1] == at })
	}):
		return "-"
	}
	return "+"
}

// properties returns what an attribute has beyond its type.
func (d *amlDrawing) properties(a *model.Aggregate, at *model.Attribute) (out []string) {
	add := func(set bool, s string) {
		if set {
			out = append(out, d.use(s))
		}
	}
	for _, x := range a.Discriminators {
		add(x.Attribute == at && x.Order == model.Ascending, "{asc}")
		add(x.Attribute == at && x.Order == model.Descending, "{desc}")
	}
	add(at.Final, "«final»")
	add(at.Fixed, "«fixed»")
	add(at.Enum, "«enum»")
	add(at.Counter, "«counter»")
	add(at.Secret, "«secret»")
	add(at.Index != nil, "«index»")
	add(a.Version == at, "«version»")
	if at.Disjunction != nil {
		d.use("xor")
		out = append(out, "{xor "+at.Disjunction.Name+"}")
	}
	if at.Alternative != nil {
		d.use("or")
		out = append(out, "{or "+at.Alternative.Name+"}")
	}
	return out
}

// typeName returns the type of the values of an attribute.
func typeName(t *model.Type) string {
	switch t.Kind {
	case model.List, model.Set:
		return typeName(t.Elem)
	case model.MapType:
		return typeName(t.Key) + " → " + typeName(t.Elem)
	}
	return t.String()
}

// multiplicity returns the multiplicity of an attribute: " [0..20]"; "" for a single value.
func multiplicity(at *model.Attribute) string {
	switch at.Type.Kind {
	case model.List, model.Set, model.MapType:
	default:
		if at.Mandatory || at.Key {
			return ""
		}
		if objectOf(at.Type) != nil && at.Type.Nullable {
			return " [0..1]"
		}
		return ""
	}
	m := at.Multiplicity
	most := "*"
	if m.Max >= 0 {
		most = fmt.Sprint(m.Max)
	}
	return fmt.Sprintf(" [%d..%s]", max(m.Min, 0), most)
}

// qualifier returns the qualifier of a composition, or "".
func qualifier(at *model.Attribute) string {
	if at.Type.Kind != model.MapType {
		return ""
	}
	if len(at.Type.Qualifier) == 0 {
		return plain(typeName(at.Type.Key))
	}
	var names []string
	for _, q := range at.Type.Qualifier {
		names = append(names, q.GoName())
	}
	return plain(strings.Join(names, ", "))
}

// measure sets the size of a node.
func (n *node) measure() {
	n.w = title.width(n.name) + 2*padding
	for i := range n.rows {
		n.w = max(n.w, n.rows[i].Width()+2*padding)
	}
	n.h = headHeight
	if len(n.rows) > 0 {
		n.h += float64(len(n.rows))*lineHeight + padding
	}
}

const circleSize = 14

// condition returns what a redundant aggregate has beyond the notation, for the line below its name.
func (d *amlDrawing) condition(a *model.Aggregate) string {
	var out []string
	add := func(sign, text string) { out = append(out, text); d.use(sign) }
	if r := a.Redundancy; r != nil {
		if when, ok := a.Tag.Option("when"); ok {
			add("when", "when "+when.Value)
		}
		if r.Shared {
			add("shared", "shared")
		}
	}
	if a.Properties.Expires() {
		add("ttl", "ttl")
	}
	return plain(strings.Join(out, ", "))
}
