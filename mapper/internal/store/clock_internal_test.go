package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A row that was written by a clock far ahead is written above that time, but other rows are not.
func TestClockIsNotMovedByARowAhead(t *testing.T) {
	c := Clock{now: func() time.Time { return time.UnixMicro(1000) }}
	require.Equal(t, int64(1000), c.Next(0, 0))
	require.Equal(t, int64(1<<60), c.Next(1<<60, 3))
	require.Equal(t, int64(1010), c.Next(0, 0), "the timestamps of the repeats of the first write stay reserved")
}
