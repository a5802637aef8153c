package memory_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// Two stores on one backend whose clock is fixed write one after the other, as they do on a clock that runs.
func TestStoresShareAFixedClock(t *testing.T) {
	ctx, at := t.Context(), time.UnixMicro(7_000_000)
	b := memory.New(memory.Config{Now: func() time.Time { return at }})
	one, two := openJobs(t, b), openJobs(t, b)
	old, next := sample(1), sample(1)
	for range 3 {
		require.NoError(t, one.Samples.Insert(ctx, old))
	}
	next.Text = "b"
	require.NoError(t, two.Samples.Change(ctx, old, next))
	got, err := one.Samples.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, "b", got.Text)
	require.NoError(t, two.Samples.Delete(ctx, 1))
	_, err = one.Samples.Get(ctx, 1)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}
