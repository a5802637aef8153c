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

// A part and a redundant aggregate refer to others for their root.
func TestFocusOfMembers(t *testing.T) {
	known, err := corpus.Imports()
	require.NoError(t, err)
	text := chain() + `
type P struct {
	aml.Entity ` + "`aml:\"parts,part=B\"`" + `

	B  int32  ` + "`aml:\"b,identifier\"`" + `
	ID int32  ` + "`aml:\"id,discriminator\"`" + `
	D  *int32 ` + "`aml:\"d,association=D\"`" + `
}

type R struct {
	aml.Aggregate ` + "`aml:\"copies,redundant=C\"`" + `

	ID int32 ` + "`aml:\"id,identifier\"`" + `
	C  int32 ` + "`aml:\"c,from=C.ID,association=A\"`" + `
}
`
	models := []diagram.Model{newModel(t, known.Source(t, "example.com/chain", text))}
	for focus, want := range map[string]string{"D": "BD", "C": "ABC"} {
		roots, err := diagram.Select(models, diagram.Options{Focus: &diagram.Focus{Root: focus, Depth: 1}})
		require.NoError(t, err)
		var names []string
		for _, r := range roots {
			names = append(names, r.Struct.Name)
		}
		slices.Sort(names)
		require.Equal(t, want, strings.Join(names, ""), focus)
	}
}
