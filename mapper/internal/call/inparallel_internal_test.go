package call

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A function that ends its goroutine, as t.FailNow does, ends the others with an error. They do not wait for what it has begun.
func TestGoexitEndsTheOthers(t *testing.T) {
	for _, n := range []int{2, 3} {
		synctest.Test(t, func(t *testing.T) {
			err := ForEach(t.Context(), n, []int{0, 1, 2}, func(ctx context.Context, i int) error {
				if i == 0 {
					runtime.Goexit()
				}
				<-ctx.Done()
				return ctx.Err()
			})
			require.ErrorIs(t, err, ErrExited)
		})
		err := ForEach(t.Context(), n, []int{0, 1, 2}, func(context.Context, int) error {
			runtime.Goexit()
			return nil
		})
		require.ErrorIs(t, err, ErrExited)
	}
}

// If the context of a call ends, its error is the one that other calls return, and not the cause of the caller's context.
func TestTheEndOfAContextIsItsError(t *testing.T) {
	wait := func(ctx context.Context, _ int) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for _, n := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("too late"))
			defer cancel()
			require.ErrorIs(t, ForEach(ctx, n, []int{1, 2, 3}, wait), context.DeadlineExceeded)
			require.ErrorIs(t, ForEach(ctx, n, []int{1, 2, 3}, wait), context.DeadlineExceeded, "it had ended before")
		})
	}
}
