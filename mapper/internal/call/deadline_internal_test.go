package call

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
)

// A call ends within its time limit, and has almost all of it, also if it shares its context with calls that began before it.
func TestCallsThatShareAContextEndInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 6400 * time.Millisecond
		var d deadlines
		for range 1000 {
			began := time.Now()
			ctx, end := d.share(context.Background(), limit)
			defer end()
			at, ok := ctx.Deadline()
			require.True(t, ok)
			require.LessOrEqual(t, at.Sub(began), limit)
			require.GreaterOrEqual(t, at.Sub(began), limit-limit/sharedPart)
			time.Sleep(7 * time.Millisecond)
			require.NoError(t, ctx.Err())
		}
		began := time.Now()
		ctx, end := d.share(context.Background(), limit)
		other, endOther := d.share(context.Background(), limit)
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
	for _, own := range []context.Context{context.WithValue(context.Background(), key{}, 7), context.WithoutCancel(stopped), detached{stopped}} {
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

// detached is a context with the values of another, as programs wrote it before [context.WithoutCancel].
type detached struct{ context.Context }

func (detached) Deadline() (time.Time, bool) { return time.Time{}, false }
func (detached) Done() <-chan struct{}       { return nil }
func (detached) Err() error                  { return nil }

// The reason why a shared context has ended is its time limit, and not the end of a context that the call's own context hides.
func TestCauseOfASharedContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d deadlines
		stopped, stop := context.WithCancel(t.Context())
		stop()
		ctx, end := d.share(detached{stopped}, time.Minute)
		defer end()
		require.NoError(t, ctx.Err())
		<-ctx.Done()
		require.ErrorIs(t, context.Cause(ctx), context.DeadlineExceeded)
	})
}

// Tests with fake clocks can use one store: their contexts end by the clock of each, and package context ends the program if a test uses a
// context of another.
func TestFakeClocksShareNothing(t *testing.T) {
	const limit = time.Minute
	var d deadlines
	outside, end := d.context(context.Background(), limit)
	defer end()
	for range 2 {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := d.context(context.Background(), limit)
			defer end()
			at, ok := ctx.Deadline()
			require.True(t, ok)
			require.Equal(t, limit, time.Until(at))
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			<-child.Done()
			require.ErrorIs(t, child.Err(), context.DeadlineExceeded)
		})
	}
	require.NoError(t, outside.Err())
	again, endAgain := d.context(context.Background(), limit)
	defer endAgain()
	before, _ := outside.Deadline()
	after, _ := again.Deadline()
	require.Less(t, after.Sub(before), limit, "contexts outside of such tests have the real clock")
}

// A context that can end, and a store that was made with a time limit of its own, share nothing.
func TestContextsThatAreNotShared(t *testing.T) {
	var d deadlines
	_, endShared := d.context(context.Background(), time.Minute)
	defer endShared()
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
}

// A call has the time limit of its store, of its options or of its context, whichever ends first, also if calls of the store share a context.
func TestTimeLimitsOfCalls(t *testing.T) {
	db := &DB{Config: mapper.Config{Timeout: 20 * time.Minute, Consistency: driver.LocalQuorum}, ahead: -1, deadlines: new(deadlines)}
	limit := func(db *DB, ctx context.Context) time.Duration {
		ctx, end, err := db.begin(ctx)
		require.NoError(t, err)
		defer end()
		at, ok := ctx.Deadline()
		require.True(t, ok)
		return time.Until(at)
	}
	for range 2 {
		for want, db := range map[time.Duration]*DB{
			20 * time.Minute: db, 10 * time.Minute: db.With(mapper.Options{Timeout: 10 * time.Minute}),
			30 * time.Minute: db.With(mapper.Options{Timeout: 30 * time.Minute}).With(mapper.Options{Serial: true}),
		} {
			for _, ctx := range []context.Context{context.Background(), t.Context()} {
				got := limit(db, ctx)
				require.LessOrEqual(t, got, want)
				require.Greater(t, got, want/2)
			}
		}
	}
	longer, end := context.WithTimeout(t.Context(), time.Hour)
	defer end()
	require.LessOrEqual(t, limit(db, longer), 20*time.Minute)
	shorter, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	require.LessOrEqual(t, limit(db, shorter), time.Minute)
}
