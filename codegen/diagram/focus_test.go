package diagram_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/integration/corpus"
)

// chain returns a model whose roots refer to one another in a chain. The first one refers to itself, too, and the last one to none.
func chain() string {
	text := "package chain\n\nimport \"github.com/cassaml/cassaml/aml\"\n"
	for name, to := range map[string][]string{"A": {"A", "B"}, "B": {"C"}, "C": nil, "D": nil} {
		text += fmt.Sprintf("\ntype %s struct {\n\taml.Aggregate `aml:\"t%[1]s\"`\n\n\tID int32 `aml:\"id,identifier\"`\n", name)
		for _, t := range to {
			text += fmt.Sprintf("\tTo%s *int32 `aml:\"to%[1]s,association=%[1]s\"`\n", t)
		}
		text += "}\n"
	}
	return text
}

// A focus selects roots at a distance of references, in both directions.
func TestFocus(t *testing.T) {
	known, err := corpus.Imports()
	require.NoError(t, err)
	models := []diagram.Model{newModel(t, known.Source(t, "example.com/chain", chain()))}
	selected := func(root string, depth int) string {
		var names []string
		roots, err := diagram.Select(models, diagram.Options{Focus: &diagram.Focus{Root: root, Depth: depth}})
		require.NoError(t, err)
		for _, r := range roots {
			names = append(names, r.Struct.Name)
		}
		slices.Sort(names)
		return strings.Join(names, "")
	}
	require.Equal(t, "A", selected("A", 0))
	require.Equal(t, "AB", selected("A", 1))
	require.Equal(t, "ABC", selected("B", 1))
	require.Equal(t, "BC", selected("C", 1))
	require.Equal(t, "ABC", selected("C", 2))
	require.Equal(t, "ABC", selected("C", 9))
	require.Equal(t, "D", selected("D", 9))
}
