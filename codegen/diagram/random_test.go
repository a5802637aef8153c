package diagram_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/integration/corpus"
)

// references returns a model of roots with many references: to themselves, in cycles, of entities and of redundant aggregates, and out
// of disjunctions.
func references(r *rand.Rand, roots int) string {
	var b strings.Builder
	b.WriteString("package refs\n\nimport \"github.com/cassaml/cassaml/aml\"\n")
	for i := range roots {
		fmt.Fprintf(&b, "\ntype R%d struct {\n\taml.Aggregate `aml:\"r%d\"`\n\n\tID int32 `aml:\"id,identifier\"`\n", i, i)
		group := r.IntN(2) == 0
		for j := range r.IntN(5) {
			tag := ""
			if group && j < 3 {
				tag = ",xor=One"
			}
			fmt.Fprintf(&b, "\tRefNumber%d *int32 `aml:\"ref%d,association=R%d%s\"`\n", j, j, r.IntN(roots), tag)
		}
		if group {
			fmt.Fprintf(&b, "\tOther *int32 `aml:\"other,xor=One\"`\n\tLast *V%d `aml:\"last,composition,xor=One\"`\n", i)
		}
		fmt.Fprintf(&b, "\tItems []V%d `aml:\"items,composition,max=3\"`\n\tByName map[string]V%d `aml:\"by_name,composition,max=3\"`\n}\n", i, i)
		fmt.Fprintf(&b, "\ntype V%d struct {\n\tName string\n\tMaker *int32 `aml:\"maker,association=R%d\"`\n\tPart *W%d `aml:\"part,composition\"`\n}\n", i, r.IntN(roots), i)
		fmt.Fprintf(&b, "\ntype W%d struct {\n\tSize int32\n\tBuyer *int32 `aml:\"buyer,association=R%d\"`\n}\n", i, r.IntN(roots))
		for j := range r.IntN(4) {
			fmt.Fprintf(&b, "\ntype C%dx%d struct {\n\taml.Aggregate `aml:\"c%dx%d,redundant=R%d\"`\n\n\tID int32 `aml:\"id,identifier\"`\n\tSource int32 `aml:\"source,from=R%d.ID,association=R%d\"`\n}\n", i, j, i, j, i, i, i)
		}
	}
	return b.String()
}

func TestManyReferencesAreLegible(t *testing.T) {
	known, err := corpus.Imports()
	require.NoError(t, err)
	for seed := range uint64(*graphs) {
		r := rand.New(rand.NewPCG(seed, 0))
		text := references(r, 1+r.IntN(9))
		m := newModel(t, known.Source(t, "example.com/refs", text))
		for _, n := range []diagram.Notation{diagram.AML, diagram.AMLMembers} {
			draw(t, fmt.Sprint("refs/", seed), n, m)
		}
	}
}
