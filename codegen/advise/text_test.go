package advise_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/advise"
)

// A number of reads is printed without an exponent, and a cost is rounded.
func TestRound(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 1.605, advise.Round(1.6046080000000003, 4), 0)
	require.Equal(t, "130", advise.Short(127.6))
	require.Equal(t, "0.1", advise.Short(0.1))
}
