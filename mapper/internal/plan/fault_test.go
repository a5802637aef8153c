package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Text between brackets is a value: neither the path nor the problem contains one of a secret column.
func TestMasked(t *testing.T) {
	table := &descriptor.Table{Columns: []descriptor.Column{{Field: "ID"}, {Field: "Tokens", Secret: true}}}
	for given, want := range map[[2]string][2]string{
		{`Tokens["a]b"].Hash`, "is required"}:                {"Tokens[…].Hash", "is required"},
		{`Tokens["a"]["b"]`, "is required"}:                  {"Tokens[…]", "is required"},
		{`Tokens["a"]`, `has the identity of Tokens["b[x"]`}: {"Tokens[…]", "has the identity of Tokens[…]"},
		{"Tokens", "has 3 values, more than 2"}:              {"Tokens", "has 3 values, more than 2"},
		{`Names["a"]`, `has the identity of Names["b"]`}:     {`Names["a"]`, `has the identity of Names["b"]`},
	} {
		path, problem := (*plan.Table)(table).Masked(given[0], given[1])
		require.Equal(t, want, [2]string{path, problem})
	}
}
