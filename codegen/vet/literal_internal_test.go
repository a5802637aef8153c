package vet

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each byte of a value is found where its character begins in the literal.
func TestPlacesInLiterals(t *testing.T) {
	for _, literal := range []string{`"SELECT x"`, `"a\tb\"xc"`, `"é\u00e9ãx"`, `"\x41\101x"`, "`raw \\t\nx`", "`a\r\nx`"} {
		value, err := strconv.Unquote(literal)
		require.NoError(t, err)
		require.Equal(t, byte('x'), literal[inLiteral(literal, lastX(value))], "%s", literal)
	}
}

// lastX returns where the last x of a value is.
func lastX(value string) int {
	at := -1
	for i := range len(value) {
		if value[i] == 'x' {
			at = i
		}
	}
	return at
}
