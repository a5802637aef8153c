package examples

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/examples/internal/show"
	"github.com/cassaml/cassaml/examples/lease/leader"
)

// A lease is acquired by one request, and vanishes by itself; its tokens grow.
func TestLease(t *testing.T) {
	p := run(t, leader.Schema, leader.Demo)
	p.says(t, `
		a leads
		its token is greater: true
		its token is greater: true
		mapper: DeleteAt Leader (leaders group='jobs'): the version has changed`)
	for i, want := range [][]string{
		{"[compare and set leaders, write leaders]"},
		{"[compare and set leaders, write leaders]"},
		{"read leaders", "[compare and set leaders, write leaders]"},
		{"read leaders", "[compare and set leaders, write leaders]"},
		{"[compare and set leaders, write leaders]", "[compare and set leaders, write leaders]"},
	} {
		var got []string
		for _, r := range p.stage.Steps[i].Requests {
			effect := show.Effect(r)
			if len(r.Statements) > 1 {
				effect = "[" + effect + "]"
			}
			got = append(got, effect)
		}
		require.Equal(t, want, got, "step %d", i+1)
	}
}
