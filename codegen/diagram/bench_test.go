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

func BenchmarkDraw(b *testing.B) {
	m := largeModel(b, "refs", 120)
	b.Logf("%d tables", len(m.Schema.Tables))
	for _, n := range drawn {
		b.Run(string(n), func(b *testing.B) {
			for b.Loop() {
				drawings, err := diagram.Draw(n, []diagram.Model{m}, diagram.Options{})
				require.NoError(b, err)
				for _, d := range drawings {
					d.SVG(false)
				}
			}
		})
	}
}
