package call

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
)

// A token that is not sealed can be forged: a place that the query does not have is refused.
func TestForgedTies(t *testing.T) {
	t.Parallel()
	q := placedQuery()
	at := tie{clustering: cells("a", "c", "z"), returned: []int{1, 0}}
	back, err := q.tieIn(at.state())
	require.NoError(t, err)
	require.Equal(t, at, back)
	none, err := q.tieIn(nil)
	require.NoError(t, err)
	require.Empty(t, none)
	state := at.state()
	for n := range state {
		_, err := q.tieIn(state[:n:n])
		require.ErrorIs(t, err, mapper.ErrPageToken, n)
	}
	for _, forged := range []tie{{at.clustering, []int{2}}, {at.clustering, []int{1 << 30}}, {cells("a", "b", "z"), nil}, {at.clustering, []int{0, 1, 0}}} {
		_, err := q.tieIn(forged.state())
		require.ErrorIs(t, err, mapper.ErrPageToken)
	}
	_, err = q.tieIn(binary.BigEndian.AppendUint32(nil, 1<<31))
	require.ErrorIs(t, err, mapper.ErrPageToken)
}
