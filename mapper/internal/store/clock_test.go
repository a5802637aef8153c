package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Timestamps increase while now is constant or goes back a little. If now jumps ahead and back again, they go back, too.
func TestClock(t *testing.T) {
	now := time.UnixMicro(1_800_000_000_000_000)
	c := store.NewClock(func() time.Time { return now }, time.Second)
	at := func() int64 { return c.Next(0, 0) - 1_800_000_000_000_000 }
	require.EqualValues(t, 0, at())
	require.EqualValues(t, 2, at())
	now = now.Add(-time.Millisecond)
	require.EqualValues(t, 4, at())
	now = now.Add(time.Hour)
	require.EqualValues(t, 3_599_999_000, at())
	now = now.Add(-time.Hour)
	require.EqualValues(t, -1_000, at(), "the hour was wrong")
	require.EqualValues(t, -998, at())

	c = store.NewClock(func() time.Time { return now }, 0)
	now = now.Add(time.Hour)
	first := at()
	now = now.Add(-time.Hour)
	require.Equal(t, first+2, at(), "without a limit they never go back")
}
