package call

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cassaml/cassaml/internal/wait"
)

// ErrNotOpen is returned by a call of a store that was not returned by Open or OpenBackend.
var ErrNotOpen = errors.New("mapper: the store is not open: use the store that Open returned")

// Begin begins a call. The returned context ends with the time limit of the call; end must be called.
func (r Reader) Begin(ctx context.Context) (_ context.Context, end context.CancelFunc, err error) {
	return r.DB.begin(ctx)
}

func (db *DB) begin(ctx context.Context) (_ context.Context, end context.CancelFunc, err error) {
	if db == nil {
		return ctx, nil, ErrNotOpen
	}
	limit := db.Config.Timeout
	if at, ok := ctx.Deadline(); limit == 0 || ok && time.Until(at) <= limit {
		return ctx, func() {}, nil
	}
	ctx, end = db.deadlines.context(ctx, limit)
	return ctx, end, nil
}

// BeginWrite begins a call that writes. It refuses the options that are only for reads.
func (r Reader) BeginWrite(ctx context.Context, op string) (context.Context, context.CancelFunc, error) {
	ctx, end, err := r.Begin(ctx)
	switch {
	case err != nil:
		return ctx, nil, err
	case r.DB.broken != nil && r.Codec.Table.Deleted > 0:
		err = r.DB.broken
	case r.DB.checkWrite() != nil:
		err = r.DB.checkWrite()
	case r.Codec.Table.Deleted > 0 && r.DB.at != 0:
		err = errors.New("mapper.Options.Timestamp is not supported for versioned aggregates: a version orders their writes")
	case r.Codec.Table.Deleted > 0 && r.DB.ttl != 0 && !r.Codec.Table.Lives:
		err = errors.New("mapper.Options.TTL is supported for a versioned aggregate only if its model has ttl=, which keeps the version of a row that expires")
	default:
		return ctx, end, nil
	}
	end()
	return ctx, nil, r.WrapError(op, nil, err)
}

// checkWrite returns the error of a write with options that are only for reads, or nil.
func (db *DB) checkWrite() error {
	switch {
	case db.serial:
		return errors.New("mapper.Options.Serial is for reads")
	case db.verify:
		return errors.New("mapper.Options.Verified is for reads")
	}
	return nil
}

const (
	firstPause = 50 * time.Millisecond // pause after the first attempt; it doubles
	doublings  = 5                     // limit: 1.6 s
)

// pause waits before the next attempt, and reports whether to make it.
func pause(ctx context.Context, attempt int) bool {
	d := firstPause << min(attempt-1, doublings)
	return wait.Sleep(ctx, d/2+rand.N(d)) == nil
}

// pauseJitter waits for a random time before a call that has met a concurrent writer starts over. The maximum of the time grows with
// the attempts. pauseJitter reports whether the call has time for another attempt.
func pauseJitter(ctx context.Context, attempt int) bool {
	return wait.Sleep(ctx, rand.N(time.Millisecond<<min(attempt, 7))) == nil
}

// ErrExited is returned if a callback of the caller ends its goroutine.
var ErrExited = errors.New("the callback has ended its goroutine with runtime.Goexit, as t.FailNow does: return an error instead")

// ForEach calls do with each value of all, at most n at a time. The first error cancels the context of the other calls, and
// is returned. If ctx ends before, its error is returned, or the error of a call that it has ended.
func ForEach[T any](ctx context.Context, n int, all []T, do func(context.Context, T) error) error {
	if n == 1 {
		return forEachInOrder(ctx, all, do)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var first sync.Once
	var failed error
	fail := func(err error) {
		first.Do(func() { failed = err })
		cancel()
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, len(all)) {
		wg.Go(func() {
			exited := true
			defer func() {
				if exited { // an exit without an error would let the other calls wait
					fail(ErrExited)
				}
			}()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(all) {
					break
				}
				if err := do(ctx, all[i]); err != nil {
					fail(err)
				}
			}
			exited = false
		})
	}
	if wg.Wait(); failed != nil {
		return failed
	}
	return ctx.Err()
}

// forEachInOrder calls do with each value of all, one after the other, until an error or the end of the context.
func forEachInOrder[T any](ctx context.Context, all []T, do func(context.Context, T) error) error {
	for _, v := range all {
		if ctx.Err() != nil {
			break
		}
		if err := do(ctx, v); err != nil {
			return err
		}
	}
	return ctx.Err()
}
