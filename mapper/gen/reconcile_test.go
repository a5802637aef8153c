package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// A refill writes all rows of a redundant table, and reports the rows of the root's table that it has read.
func TestRefillReportsItsRows(t *testing.T) {
	f := newFull(t, 7, mapper.Options{})
	rows := 0
	require.NoError(t, gen.Refill(ctx, f.Clientes, "veiculos", func(n int) { rows += n }))
	require.Equal(t, 7, rows)
	require.Len(t, f.keys(), 14)
	require.ErrorContains(t, gen.Refill(ctx, f.Clientes, "quartos", nil), "has no redundant table quartos")
}

// A condition is CQL, which only a session can read.
func TestRestampNeedsASession(t *testing.T) {
	f := newFull(t, 1, mapper.Options{})
	_, err := gen.Restamp(ctx, f.Clientes, "id = 0", 0, nil)
	require.EqualError(t, err, "mapper: a condition needs a store on a session")
}
