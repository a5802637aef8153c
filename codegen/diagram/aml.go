package diagram

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// amlDrawing is a drawing of aggregates in the notation of the Aggregate Modeling Language. With members, an aggregate is shown by
// names such as customers::Vehicle; otherwise as a package around its members.
type amlDrawing struct {
	models  []Model
	roots   map[string]bool // the keys of those that are drawn
	members bool
	types   Types
	link    func(Node) string
	used    map[string]bool // the signs that the drawing has
}

// drawAML draws roots with their parts and redundant aggregates.
func drawAML(models []Model, roots []*model.Aggregate, o Options, members bool) (*Picture, error) {
	d := &amlDrawing{models: models, roots: map[string]bool{}, members: members, types: o.Types, link: o.Link, used: map[string]bool{}}
	for _, root := range roots {
		d.roots[AggregateKey(root)] = true
	}
	var groups []*group
	in := LabelsByPath(models)
	for _, root := range roots {
		for _, a := range append([]*model.Aggregate{root}, copies(root)...) {
			g := d.group(root, a)
			g.in = in[root.Struct.Path]
			groups = append(groups, g)
		}
	}
	count := len(groups)
	p, err := arrange(groups)
	if err != nil {
		return nil, err
	}
	p.Title = "Aggregates of " + PackageNames(models)
	p.About = Counted(count, "aggregate") + " in the notation of AML, each with its entities and value objects, and the references between them."
	return p.framed(p.Title, newLegend(selectSigns(members), d.used)), nil
}

// AggregateKey returns the identity of an aggregate, which is the same if the model of another package has read the aggregate.
func AggregateKey(a *model.Aggregate) string { return a.Struct.Path + "." + a.Struct.Name }

// copies returns the redundant aggregates of a root and of its parts.
func copies(root *model.Aggregate) []*model.Aggregate {
	out := slices.Clone(root.Projections)
	for _, part := range root.Parts {
		out = append(out, part.Projections...)
	}
	return out
}

// group draws an aggregate. A redundant one has a line to the root of its source.
func (d *amlDrawing) group(root, a *model.Aggregate) *group {
	name := PlainText(a.Table)
	if d.members {
		name = ""
	}
	f := newFrame(AggregateKey(a), d.tree(a), name, a.Redundancy != nil)
	if a.Redundancy != nil {
		d.use("redundant")
		f.exits = append(f.exits, &exit{target: AggregateKey(root), derived: true, dashed: true})
	}
	return newGroup(f)
}

// use records that the drawing has a sign, for the legend, and returns the sign.
func (d *amlDrawing) use(sign string) string {
	if d.used != nil && sign != "" {
		d.used[sign] = true
	}
	return sign
}

// findModel returns the model that declares an aggregate; nil for none.
func (d *amlDrawing) findModel(a *model.Aggregate) *Model {
	for i := range d.models {
		if slices.Contains(d.models[i].Aggregates, a) {
			return &d.models[i]
		}
	}
	return nil
}
