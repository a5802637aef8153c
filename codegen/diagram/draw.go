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
	names := rootNames(models, roots)
	for i, root := range roots {
		d := Drawing{Root: names[i]}
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

// rootNames returns the names of roots, with the labels of their packages where several roots have one name. They differ even in a file system that
// does not distinguish upper and lower case.
func rootNames(models []Model, roots []*model.Aggregate) []string {
	count := map[string]int{}
	for _, r := range roots {
		count[strings.ToLower(r.Struct.Name)]++
	}
	in, used := LabelsByPath(models), map[string]bool{}
	out := make([]string, len(roots))
	for i, r := range roots {
		name := r.Struct.Name
		if len(models) > 1 && count[strings.ToLower(name)] > 1 {
			name = in[r.Struct.Path] + "." + name
		}
		out[i] = name
		for n := 2; used[strings.ToLower(out[i])]; n++ {
			out[i] = fmt.Sprint(name, ".", n)
		}
		used[strings.ToLower(out[i])] = true
	}
	return out
}
