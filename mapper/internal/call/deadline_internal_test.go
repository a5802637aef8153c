package call

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A call ends within its time limit, and has almost all of it, also if it shares its context with calls that began before it.
func TestCallsThatShareAContextEndInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 6400 * time.Millisecond
		var d deadlines
		for range 1000 {
			began := time.Now()
			ctx, end := d.context(context.Background(), limit)
			defer end()
			at, ok := ctx.Deadline()
			require.True(t, ok)
			require.LessOrEqual(t, at.Sub(began), limit)
			require.GreaterOrEqual(t, at.Sub(began), limit-limit/sharedPart)
			time.Sleep(7 * time.Millisecond)
			require.NoError(t, ctx.Err())
		}
		began := time.Now()
		ctx, end := d.context(context.Background(), limit)
		other, endOther := d.context(context.Background(), limit)
		require.Same(t, ctx, other)
		end() // a call that has ended does not end the others
		endOther()
		require.NoError(t, ctx.Err())
		<-ctx.Done()
		require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
		require.LessOrEqual(t, time.Since(began), limit)
	})
}

// A call that shares a context sees the values of its own context, and a context made of it costs no goroutine.
func TestSharedContextsHaveTheirValues(t *testing.T) {
	type key struct{}
	var d deadlines
	stopped, stop := context.WithCancel(context.WithValue(context.Background(), key{}, 7))
	stop()
	for _, own := range []context.Context{context.WithValue(context.Background(), key{}, 7), context.WithoutCancel(stopped)} {
		ctx, end := d.context(own, time.Minute)
		defer end()
		require.NoError(t, ctx.Err())
		require.Equal(t, 7, ctx.Value(key{}))
		require.Nil(t, ctx.Value("another"))
		goroutines := runtime.NumGoroutine()
		for range 100 {
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			require.Equal(t, 7, child.Value(key{}))
		}
		require.Less(t, runtime.NumGoroutine(), goroutines+100)
	}
}

// A context that can end, and a store that was made with a time limit of its own, share nothing.
func TestContextsThatAreNotShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d deadlines
		own, cancel := context.WithCancel(t.Context())
		ctx, end := d.context(own, time.Minute)
		defer end()
		cancel()
		require.ErrorIs(t, ctx.Err(), context.Canceled)

		var none *deadlines
		first, endFirst := none.context(context.Background(), time.Minute)
		second, endSecond := none.context(context.Background(), time.Minute)
		defer endSecond()
		endFirst()
		require.ErrorIs(t, first.Err(), context.Canceled, "its timer is stopped")
		require.NoError(t, second.Err())
	})
}
