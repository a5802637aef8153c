package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
	"github.com/cassaml/cassaml/integration/corpus"
)

// Random models have an explanation. A method of a view reads no remaining TTL.
func TestExplanationsOfRandomModels(t *testing.T) {
	t.Parallel()
	known, err := corpus.Imports()
	require.NoError(t, err)
	views := 0
	for _, c := range corpus.New(1).Models(200) {
		m, faults := model.Build(known.Source(t, corpus.Module+"/"+c.Name, string(c.Source())))
		if model.Refused(faults) {
			continue
		}
		s := schema.New(m)
		e := explain.New(m, s)
		require.NotEmpty(t, outline.Store(e).String(), c.Name)
		for _, v := range e.Views {
			views++
			for _, o := range v.Operations {
				require.NotContains(t, o.Requests[0].Writes[0].Statements[0].CQL, "TTL(", "%s: %s.%s", c.Name, v.Model.Struct.Name, o.Name)
			}
		}
	}
	require.Greater(t, views, 10)
}
