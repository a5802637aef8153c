package call

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
)

// A token that is not sealed can be forged: a page with more rows than any other is refused.
func TestForgedPageSizes(t *testing.T) {
	t.Parallel()
	state := func(size uint32, rest ...byte) []byte {
		return append(binary.BigEndian.AppendUint32(nil, size), rest...)
	}
	size, rest, err := cutSize(state(7, 1, 2), 7)
	require.NoError(t, err)
	require.Equal(t, 7, size)
	require.Equal(t, []byte{1, 2}, rest)
	for _, forged := range [][]byte{{}, {0, 0, 0}, state(7), state(0, 1), state(8, 1), state(1<<31, 1)} {
		_, _, err := cutSize(forged, 7)
		require.ErrorIs(t, err, mapper.ErrPageToken)
	}
}
