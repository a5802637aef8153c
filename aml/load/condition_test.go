package load_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/internal/source"
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
)

// A condition is printed with the names of the constants that it is compared with.
func TestConditions(t *testing.T) {
	c := source.Cases(t, "testdata/diagnostics/condition.txtar")[0]
	p, err := load.Load(t.Context(), c.Dir)
	require.NoError(t, err)
	m, _ := model.Build(p)
	got := map[string]string{}
	for _, a := range m.Aggregates {
		if r := a.Redundancy; r != nil && r.When != nil {
			got[a.Table] = r.Condition()
		}
	}
	require.Equal(t, map[string]string{
		"accepted":         "Ticket.Status in (Pending, Closed, closed)",
		"accepted_level":   "Ticket.Level = High",
		"accepted_month":   "Ticket.Month = December",
		"accepted_text":    "Ticket.Place.City = 'São Paulo, SP'",
		"accepted_element": "Ticket.Labels.$value in (a, b)",
	}, got)
}
