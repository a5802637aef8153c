package diagram

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/model"
)

// mostBoxes is the number of boxes up to which a model is one picture. With their lines, 60 boxes of 160 by 120 pixels fill about two
// screens of a laptop. Larger pictures are hard to read.
const mostBoxes = 60

// countBoxes returns the approximate number of boxes of roots in a notation.
func countBoxes(n Notation, models []Model, roots []*model.Aggregate) (count int) {
	for _, root := range roots {
		if n == Chebotko || n == ChebotkoLogical {
			_, tables := rootTables(models, root)
			count += len(tables)
			continue
		}
		for _, a := range append(append([]*model.Aggregate{root}, root.Parts...), copies(root)...) {
			count += 1 + objectsIn(a.Attributes)
		}
	}
	return count
}

// objectsIn returns the number of structs in attributes.
func objectsIn(attributes []*model.Attribute) (count int) {
	for _, at := range attributes {
		if o := ComposedObject(at.Type); o != nil {
			count += 1 + objectsIn(o.Attributes)
		}
	}
	return count
}

// drawOverview draws each root as a box with the names of its tables, and the references between them.
func drawOverview(models []Model, roots []*model.Aggregate, links map[string]string) (*Picture, error) {
	drawn := map[string]bool{}
	for _, root := range roots {
		drawn[AggregateKey(root)] = true
	}
	nodes := make([]*node, len(roots))
	count := 0
	for i, root := range roots {
		_, tables := rootTables(models, root)
		n := &node{name: PlainText(root.Struct.Name), thick: true, root: true, link: links[AggregateKey(root)]}
		for _, t := range tables {
			color := Ink
			if copied(t) {
				color = Faint
			}
			n.rows = append(n.rows, Text{S: PlainText(t.Name), Style: body, Color: color})
		}
		count += len(tables)
		for _, target := range targets(root) {
			if drawn[target] {
				n.exits = append(n.exits, &exit{target: target, self: target == AggregateKey(root)})
			}
		}
		n.finish()
		nodes[i] = n
	}
	groups, in := make([]*group, len(roots)), LabelsByPath(models)
	for i, root := range roots {
		groups[i] = newGroup(newFrame(AggregateKey(root), nodes[i], "", false))
		groups[i].in = in[root.Struct.Path]
	}
	p, err := arrange(groups)
	if err != nil {
		return nil, err
	}
	p.Title = "Overview of " + PackageNames(models)
	p.About = fmt.Sprintf("%d roots with their %d tables, and the references between them. Each root has a picture of its own.", len(roots), count)
	return p.framed(p.Title, overviewSigns), nil
}

// overviewSigns are the signs of an overview.
var overviewSigns = []sign{
	{"", "box", "a root with its tables, and a link to its picture"},
	{"", "grey", "a table whose rows are derived from those of another one"},
	{"", "open arrow", "association"},
}

// targets returns the keys of the aggregates that a root, its parts and its redundant aggregates refer to, each once.
func targets(root *model.Aggregate) (out []string) {
	seen := map[string]bool{}
	for _, a := range append(append([]*model.Aggregate{root}, root.Parts...), copies(root)...) {
		for _, as := range a.Associations {
			if key := AggregateKey(as.Target); !seen[key] {
				seen[key] = true
				out = append(out, key)
			}
		}
	}
	return out
}
