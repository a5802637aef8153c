package scan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A page has about 1 MiB, regardless of the size of the rows. The query continues while the number of rows is within a factor of
// two.
func TestPageSize(t *testing.T) {
	p := &pageSize{}
	require.Equal(t, firstPage, p.get())
	require.True(t, p.adapt(firstPage, 100, 100*1024))
	require.Equal(t, 1024, p.get())
	require.False(t, p.adapt(1024, 1030, 1030*1500))
	require.Equal(t, pageBytes/1500, p.get())
	require.True(t, p.adapt(1024, 1024, 1024*50_000), "the rows have become wide")
	require.Equal(t, 20, p.get())
	require.True(t, p.adapt(20, 20, 20*10))
	require.Equal(t, LargestPage, p.get())
	require.True(t, p.adapt(LargestPage, 1, 100<<20))
	require.Equal(t, smallestPage, p.get())
	require.False(t, p.adapt(smallestPage, 0, 0))

	p = &pageSize{most: 300}
	require.True(t, p.adapt(firstPage, 100, 100))
	require.Equal(t, 300, p.get())
}
