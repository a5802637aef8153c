package mermaid

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/internal/models"
)

// A model that is too long for one diagram has a diagram for each root.
func TestLongModels(t *testing.T) {
	m, faults := model.Build(models.Folders(t, "../../../examples/library/catalogue")[0])
	require.False(t, model.Refused(faults))
	of := []diagram.Model{{Model: m, Schema: schema.New(m)}}
	roots, err := diagram.Roots(of, nil)
	require.NoError(t, err)
	for _, k := range kinds {
		whole := k.sections(of, roots, diagram.CQL, MaxText)
		require.Len(t, whole, 1)
		parts := k.sections(of, roots, diagram.CQL, len(whole[0].Text)-1)
		require.Len(t, parts, len(roots))
		require.Equal(t, k.noun+" of Artifact", parts[0].Heading)
		require.Less(t, len(parts[1].Text), len(whole[0].Text)/2)
	}
}

// A root that is too long for Mermaid is reported with what to do.
func TestLongRoot(t *testing.T) {
	imports, err := models.Load(".", "github.com/cassaml/cassaml/aml")
	require.NoError(t, err)
	text, fields := "package long\n\nimport \"github.com/cassaml/cassaml/aml\"\n", ""
	for i := range 20 {
		text += fmt.Sprintf("\ntype Value%d struct {\n", i)
		for j := range 100 {
			text += fmt.Sprintf("\tNumberOfAnotherField%d int32\n", j)
		}
		text += "}\n"
		fields += fmt.Sprintf("\tField%d Value%d `aml:\"field%d,composition,final\"`\n", i, i, i)
	}
	text += "\ntype Root struct {\n\taml.Aggregate `aml:\"roots\"`\n\n\tID int32 `aml:\"id,identifier\"`\n" + fields
	m, faults := model.Build(imports.Source(t, "example.com/long", text+"}\n"))
	require.False(t, model.Refused(faults), "%v", faults)
	_, err = Draw(diagram.Mermaid, []diagram.Model{{Model: m, Schema: schema.New(m)}}, diagram.Options{})
	require.ErrorContains(t, err, " bytes, and Mermaid draws at most 50000: choose roots with -roots, or write SVG")
}
