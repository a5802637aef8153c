package work

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// expiring is records whose owners expire, as in the table.
type expiring struct {
	memory

	expires atomic.Int64 // nanoseconds since 1970: when the owner of the only slice expires
	down    atomic.Bool
}

var errDown = errors.New("no answer")

func (e *expiring) read(ctx context.Context, k key) (record, error) {
	r, err := e.memory.read(ctx, k)
	if time.Now().UnixNano() >= e.expires.Load() {
		r.owner = uuid.UUID{}
	}
	return r, err
}

func (e *expiring) acquire(ctx context.Context, k key, r record) (bool, error) {
	old, err := e.read(ctx, k)
	if err != nil || old.held() || old.done {
		return false, err
	}
	return e.set(ctx, k, r, func(old record) bool { return old.epoch == r.epoch-1 })
}

func (e *expiring) write(ctx context.Context, k key, r record) (bool, error) {
	if e.down.Load() {
		return false, errDown
	}
	return e.set(ctx, k, r, func(old record) bool { return old.epoch == r.epoch && !old.done })
}

func (e *expiring) renew(ctx context.Context, k key, r record) (bool, error) {
	return e.write(ctx, k, r)
}

func (e *expiring) set(ctx context.Context, k key, r record, condition func(record) bool) (bool, error) {
	ok, err := e.replace(ctx, k, r, condition)
	if ok {
		e.expires.Store(time.Now().Add(defaultTTL).UnixNano())
	}
	return ok, err
}

// newExpiring returns the records of a job with one slice, and a queue of a process.
func newExpiring() (*expiring, func() *Queue) {
	e := &expiring{memory: memory{records: map[key]record{}}}
	return e, func() *Queue {
		q := newQueue(Job{Slices: 1, Phases: []Phase{{Name: "copies", Table: "customers"}}}, e, pause, 0)
		q.renewal = defaultTTL / 3
		return q
	}
}

// A worker keeps its slice although the work between two checkpoints takes longer than a lease. Otherwise the workers of two processes
// take the slice from each other again and again.
func TestKeep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, process := newExpiring()
		lease, err := process().Next(t.Context(), 0)
		require.NoError(t, err)
		var other *Lease
		go func() { other, err = process().Next(t.Context(), 0) }()
		ctx, stop := lease.Keep(t.Context())
		for _, checkpoint := range []string{"one", "two"} {
			time.Sleep(10 * defaultTTL)
			require.NoError(t, lease.Save(ctx, []byte(checkpoint)))
		}
		stop()
		require.NoError(t, lease.Done(t.Context(), []byte("report")))
		time.Sleep(2 * defaultPause)
		synctest.Wait()
		require.NoError(t, err)
		require.Nil(t, other, "the slice is done")
	})
}

// A worker whose renewals fail for the time of a lease is stopped when another one has taken the slice.
func TestKeepLosesTheSlice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		records, process := newExpiring()
		first, err := process().Next(t.Context(), 0)
		require.NoError(t, err)
		ctx, stop := first.Keep(t.Context())
		defer stop()
		records.down.Store(true)
		second, err := process().Next(t.Context(), 0)
		require.NoError(t, err)
		require.NoError(t, ctx.Err(), "it does not know it")
		records.down.Store(false)
		<-ctx.Done()
		require.ErrorIs(t, context.Cause(ctx), ErrLost)
		require.NoError(t, second.Done(t.Context(), nil))
	})
}

// silent has records whose writes get no answer.
type silent struct{ memory }

func (*silent) write(ctx context.Context, _ key, _ record) (bool, error) {
	<-ctx.Done()
	return false, ctx.Err()
}

// A worker whose context has ended releases its slice. Without an answer it waits no longer than releaseTimeout, so that a process
// that is stopped ends.
func TestReleaseOfAWorkerThatEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		answering := memory{records: map[key]record{}}
		for _, r := range []records{&answering, &silent{memory{records: map[key]record{}}}} {
			lease, err := newQueue(Job{Slices: 1, Phases: []Phase{{Name: "copies", Table: "customers"}}}, r, pause, 0).Next(t.Context(), 0)
			require.NoError(t, err)
			cancel()
			began := time.Now()
			if err = lease.Release(ctx); r == records(&answering) {
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, releaseTimeout, time.Since(began))
		}
		require.False(t, answering.records[key{}].held())
	})
}
