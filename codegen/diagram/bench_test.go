package diagram_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/integration/corpus"
)

// largeModel returns a model of roots with one to four tables each.
func largeModel(t testing.TB, pkg string, roots int) diagram.Model {
	t.Helper()
	known, err := corpus.Imports()
	require.NoError(t, err)
	return newModel(t, known.Source(t, "example.com/"+pkg, references(rand.New(rand.NewPCG(1, 1)), roots)))
}

// BenchmarkDraw draws the overview and the pictures of the roots of a model with references as an application has them, and of one with many references.
func BenchmarkDraw(b *testing.B) {
	known, err := corpus.Imports()
	require.NoError(b, err)
	few := newModel(b, known.Source(b, "example.com/refs", sparse(rand.New(rand.NewPCG(1, 1)), 80, 70)))
	for _, of := range []struct {
		name  string
		model diagram.Model
	}{{"80roots", few}, {"120roots", largeModel(b, "refs", 120)}} {
		for _, n := range drawn {
			b.Run(of.name+"/"+string(n), func(b *testing.B) {
				for b.Loop() {
					drawings, err := diagram.Draw(n, []diagram.Model{of.model}, diagram.Options{})
					require.NoError(b, err)
					for _, d := range drawings {
						d.SVG(false)
					}
				}
			})
		}
	}
}
