package mermaid

import (
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
