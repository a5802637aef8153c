package diagram

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Draw draws models: one picture, or an overview and a picture for each root if one would be too large to be read.
func Draw(n Notation, models []Model, o Options) ([]Drawing, error) {
	chosen, err := Select(models, o)
	if err != nil {
		return nil, err
	}
	if n == Chebotko || n == ChebotkoLogical {
		o.queries = map[*schema.Schema]queries{}
		for _, m := range models {
			o.queries[m.Schema] = newQueries(m)
		}
	}
	switch {
	case n.IsText():
		return nil, fmt.Errorf("notation %s is text, not a picture: write it to a file whose name ends in .md", n)
	case len(chosen) > 1 && countBoxes(n, models, chosen) > mostBoxes:
		return split(n, models, chosen, o)
	}
	p, err := drawWhole(n, models, chosen, o)
	return []Drawing{{Picture: p}}, err
}

// drawWhole draws roots in one picture.
func drawWhole(n Notation, models []Model, roots []*model.Aggregate, o Options) (*Picture, error) {
	if n == Chebotko || n == ChebotkoLogical {
		return drawChebotko(models, roots, o, n == Chebotko)
	}
	return drawAML(models, roots, o, n == AMLMembers)
}

// split draws an overview of roots, and a picture of each.
func split(n Notation, models []Model, roots []*model.Aggregate, o Options) (out []Drawing, err error) {
	out = make([]Drawing, 1, len(roots)+1)
	links := map[string]string{}
	used := map[string]bool{}
	for _, root := range roots {
		d := Drawing{Root: uniqueName(root, used)}
		if d.Picture, err = drawWhole(n, models, []*model.Aggregate{root}, o); err != nil {
			return nil, err
		}
		if o.File != "" {
			links[AggregateKey(root)] = url.PathEscape(d.File(o.File))
		}
		if o.Link != nil {
			links[AggregateKey(root)] = o.Link(Node{Aggregate: root})
		}
		out = append(out, d)
	}
	out[0].Picture, err = drawOverview(models, roots, links)
	return out, err
}

// uniqueName returns a name for a root that no other root has, even in a file system that does not distinguish upper and lower case.
func uniqueName(root *model.Aggregate, used map[string]bool) string {
	name := root.Struct.Name
	if used[strings.ToLower(name)] {
		name = root.Struct.Pkg + "." + name
	}
	for i, first := 2, name; used[strings.ToLower(name)]; i++ {
		name = fmt.Sprint(first, ".", i)
	}
	used[strings.ToLower(name)] = true
	return name
}
