package diagram_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/graphviz"
	"github.com/cassaml/cassaml/integration/corpus"
)

// sparse returns a model of roots with some references between them, as models of applications have.
func sparse(r *rand.Rand, roots, refs int) string {
	s := "package refs\n\nimport \"github.com/cassaml/cassaml/aml\"\n"
	to := make([][]int, roots)
	for range refs {
		from := r.IntN(roots)
		to[from] = append(to[from], r.IntN(roots))
	}
	for i := range roots {
		s += fmt.Sprintf("\ntype R%d struct {\n\taml.Aggregate `aml:\"r%d\"`\n\n\tID int32 `aml:\"id,identifier\"`\n\tName string `aml:\"name\"`\n\tItems []V%d `aml:\"items,composition,max=3\"`\n", i, i, i)
		for j, t := range to[i] {
			s += fmt.Sprintf("\tRef%d *int32 `aml:\"ref%d,association=R%d\"`\n", j, j, t)
		}
		s += fmt.Sprintf("}\n\ntype V%d struct{ Size, Weight int32 }\n", i)
	}
	return s
}

// Pictures of random models are near the goals: few more crossings than those that Graphviz draws of boxes without content, short references, and
// the ratio and the space of a page.
func TestLayout(t *testing.T) {
	known, err := corpus.Imports()
	require.NoError(t, err)
	var lengths, white []float64
	seeds := []uint64{25, 33, 73} // the best pictures of these are found in the last attempts
	for seed := range uint64(*graphs) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 0))
		roots, refs := 30, 22
		if seed%2 == 1 {
			roots, refs = 12, 16
		}
		m := newModel(t, known.Source(t, "example.com/refs", sparse(r, roots, refs)))
		p := draw(t, fmt.Sprint("sparse/", seed), diagram.AML, m)[0].Picture
		area := 0.0
		for _, b := range p.Boxes {
			if b.Group {
				area += b.W * b.H
			}
		}
		for _, l := range p.Lines {
			if f := l.Flat(); l.Curve {
				first, last := f[0], f[len(f)-1]
				lengths = append(lengths, diagram.Length(&l)/math.Hypot(first.X-last.X, first.Y-last.Y))
			}
		}
		if roots == 30 {
			white = append(white, 1-area/p.Width/p.Height)
		}
		found, least := diagram.Crossings(p), boxCrossings(t, p, m)
		t.Logf("seed %d: %d crossings, dot %d, ratio %.2f, white %.2f", seed, found, least, p.Width/p.Height, 1-area/p.Width/p.Height)
		require.LessOrEqual(t, float64(found), 1.2*float64(least)+3, "seed %d", seed)
		require.True(t, 0.5 <= p.Width/p.Height && p.Width/p.Height <= 2, "seed %d: %.2f", seed, p.Width/p.Height)
	}
	slices.Sort(lengths)
	slices.Sort(white)
	t.Logf("median length %.2f, most white %.2f", lengths[len(lengths)/2], white[len(white)*9/10])
	require.LessOrEqual(t, lengths[len(lengths)/2], 1.3)
	require.LessOrEqual(t, white[len(white)*9/10], 0.8) // of nine in ten
}

// boxCrossings returns the crossings of dot with boxes of the same size, without ports.
func boxCrossings(t *testing.T, p *diagram.Picture, m diagram.Model) int {
	text := "digraph { node [shape=box fixedsize=true label=\"\"] edge [arrowhead=none]\n"
	i := 0
	index := map[string]int{}
	for _, b := range p.Boxes {
		if b.Group {
			text += fmt.Sprintf("n%d [width=%f height=%f]\n", i, b.W/72, (b.H+22)/72)
			index[m.Aggregates[i].Struct.Name] = i
			i++
		}
	}
	k := 0
	for _, a := range m.Aggregates {
		for _, as := range a.Associations {
			text += fmt.Sprintf("n%d -> n%d [id=e%d]\n", index[a.Struct.Name], index[as.Target.Struct.Name], k)
			k++
		}
	}
	l, err := graphviz.Dot(text + "}")
	require.NoError(t, err)
	q := &diagram.Picture{}
	for _, e := range l.Edges {
		var points []diagram.Point
		for _, x := range e {
			points = append(points, diagram.Point(x))
		}
		q.Lines = append(q.Lines, diagram.Line{Points: points, Curve: true})
	}
	return diagram.Crossings(q)
}
