package memory

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// The tokens are those that a server returns for SELECT token(…).
func TestTokensAreThoseOfAServer(t *testing.T) {
	for _, c := range []struct {
		want int64
		key  cell.Row
	}{
		{-4069959284402364209, cell.Row{{0, 0, 0, 1}}},
	} {
		require.Equal(t, c.want, computeToken(c.key), "%x", c.key)
	}
}
