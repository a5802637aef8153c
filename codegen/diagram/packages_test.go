package diagram_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/internal/models"
)

// severalPackages returns models of packages whose roots refer to roots of the packages before theirs.
func severalPackages(t *testing.T, r *rand.Rand, count int) (out []diagram.Model) {
	t.Helper()
	known, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	for p := range count {
		text := fmt.Sprintf("package p%d\n", p) + "\nimport \"github.com/cassaml/cassaml/aml\"\n"
		for q := range p {
			text += fmt.Sprintf("import \"example.com/p%d\"\n", q)
		}
		for q := range p {
			text += fmt.Sprintf("\nvar _ p%d.R0\n", q)
		}
		for i := range 1 + r.IntN(5) {
			text += fmt.Sprintf("\ntype R%d struct {\n\taml.Aggregate `aml:\"r%[1]d\"`\n\n\tID int32 `aml:\"id,identifier\"`\n", i)
			for j := range r.IntN(3) {
				if p > 0 {
					text += fmt.Sprintf("\tTo%d *int32 `aml:\"to%[1]d,association=p%d.R0\"`\n", j, r.IntN(p))
				}
			}
			text += fmt.Sprintf("}\n\ntype C%d struct {\n\taml.Aggregate `aml:\"c%[1]d,redundant=R%[1]d\"`\n\n\tID int32 `aml:\"id,identifier\"`\n}\n", i)
		}
		path := fmt.Sprintf("example.com/p%d", p)
		require.NoError(t, known.Add(path, "model.go", []byte(text)))
		out = append(out, newModel(t, known.Source(t, path, text)))
	}
	return out
}

// Each of several packages has a frame with its label, which contains the boxes of the package and no others.
func TestFramesOfPackages(t *testing.T) {
	for seed := range uint64(*graphs) {
		r := rand.New(rand.NewPCG(seed, 0))
		all := severalPackages(t, r, 2+r.IntN(4))
		for _, n := range []diagram.Notation{diagram.AML, diagram.Chebotko} {
			p := draw(t, fmt.Sprint("packages/", seed), n, all...)[0].Picture
			var frames []*diagram.Box
			for i, m := range all {
				label := fmt.Sprintf("p%d", i)
				frame := labelledFrame(t, p, label)
				frames = append(frames, frame)
				count := 0
				for _, b := range p.Boxes {
					if b.Name != "" && inside(&b, frame) {
						count++
					}
				}
				require.Equal(t, len(m.Aggregates), count, "seed %d %s %s", seed, n, label)
			}
			if !n.HasAggregates() { // tables of different packages are not linked
				require.Empty(t, linesBetween(p, frames), "seed %d %s", seed, n)
			}
		}
	}
}

// Packages of one name are distinguished by the ends of their paths.
func TestPackageLabels(t *testing.T) {
	var all []diagram.Model
	for _, path := range []string{"a/x/fleet", "a/y/fleet", "b/y/fleet", "fleet", "a/shop"} {
		all = append(all, diagram.Model{Model: &model.Model{Package: &model.Package{Name: path[strings.LastIndex(path, "/")+1:], Path: path}}})
	}
	require.Equal(t, []string{"x/fleet", "a/y/fleet", "b/y/fleet", "fleet", "shop"}, diagram.PackageLabels(all))
	require.Equal(t, "5 packages", diagram.PackageNames(all))
	require.Equal(t, "x/fleet, y/fleet", diagram.PackageNames(all[:2]))
}

// labelledFrame returns the frame with a label.
func labelledFrame(t *testing.T, p *diagram.Picture, label string) *diagram.Box {
	t.Helper()
	for _, x := range p.Texts {
		for i := range p.Boxes {
			if b := &p.Boxes[i]; x.S == label && b.Group && b.Y < x.Y && x.Y < b.Y+30 && b.X < x.X && x.X < b.X+b.W {
				return b
			}
		}
	}
	require.FailNow(t, "no frame", label)
	return nil
}

// linesBetween returns the lines that are not inside one frame.
func linesBetween(p *diagram.Picture, frames []*diagram.Box) (out []diagram.Line) {
	for _, l := range p.Lines {
		first, last := l.Points[0], l.Points[len(l.Points)-1]
		if !slices.ContainsFunc(frames, func(f *diagram.Box) bool {
			return inside(&diagram.Box{X: first.X, Y: first.Y}, f) && inside(&diagram.Box{X: last.X, Y: last.Y}, f)
		}) {
			out = append(out, l)
		}
	}
	return out
}

func inside(b, frame *diagram.Box) bool {
	return frame.X <= b.X && frame.Y <= b.Y && b.X+b.W <= frame.X+frame.W && b.Y+b.H <= frame.Y+frame.H
}
