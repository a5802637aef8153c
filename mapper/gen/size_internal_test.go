package gen

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The storage of a row is as long as the last row was, and one long row does not make all after it long.
func TestStorageOfARowIsAsLongAsTheLast(t *testing.T) {
	table := &Table{Name: "notes", Columns: []Column{{Name: "text"}}, Partition: 1, Key: 1}
	c := &Codec[string]{Table: table, Encode: func(e *Encoder, s *string) { e.Text(*s) }}
	allocations := func(n int) float64 {
		v := string(make([]byte, n))
		return testing.AllocsPerRun(10, func() {
			_, err := c.untyped().encode(&v)
			require.NoError(t, err)
		})
	}
	require.Equal(t, 1.0, allocations(100), "a short row")
	require.Equal(t, 2.0, allocations(5_000), "its bytes by themselves")
	require.EqualValues(t, 5_004, c.inner.size)
	allocations(10 << 20)
	require.EqualValues(t, mostRow, c.inner.size)
	require.Equal(t, 1.0, allocations(100))
}
