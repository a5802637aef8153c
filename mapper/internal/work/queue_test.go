package work_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/internal/work"
)

var phases = []work.Phase{{Name: "copies", Table: "customers"}, {Name: "orphans", Table: "vehicles"}}

// next returns a lease that must be free.
func next(t *testing.T, q *work.Queue, phase int) *work.Lease {
	t.Helper()
	l, err := q.Next(t.Context(), phase)
	require.NoError(t, err)
	require.NotNil(t, l)
	return l
}

// Several workers carry out each slice once, and no slice of a phase while one of the phase before is not done.
func TestLocal(t *testing.T) {
	const slices = 50
	q := work.NewLocal(work.Job{Slices: slices, Phases: phases})
	var mu sync.Mutex
	done := map[work.Phase]map[int]int{phases[0]: {}, phases[1]: {}}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, p := range phases {
				for {
					l, err := q.Next(t.Context(), i)
					if !assert.NoError(t, err) || l == nil {
						break
					}
					mu.Lock()
					done[p][l.Slice]++
					assert.True(t, i == 0 || len(done[phases[0]]) == slices, "a phase begins before the other has ended")
					mu.Unlock()
					assert.NoError(t, l.Done(t.Context(), fmt.Appendf(nil, "%s %d", l.Phase, l.Slice)))
				}
			}
		})
	}
	all.Wait()
	reports, err := q.Reports(t.Context())
	require.NoError(t, err)
	require.Len(t, reports, 2*slices)
	for i := range slices {
		assert.Equal(t, 1, done[phases[0]][i])
		assert.Equal(t, 1, done[phases[1]][i])
		assert.Equal(t, fmt.Sprint("copies of customers ", i), string(reports[i]))
		assert.Equal(t, fmt.Sprint("orphans of vehicles ", i), string(reports[slices+i]))
	}
	l, err := q.Next(t.Context(), 0)
	require.NoError(t, err)
	require.Nil(t, l)
}

// A worker waits while others have all slices that are left.
func TestNextWaits(t *testing.T) {
	for name, end := range map[string]func(*work.Lease) error{
		"done":     func(l *work.Lease) error { return l.Done(t.Context(), nil) },
		"released": func(l *work.Lease) error { return l.Release(t.Context()) },
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			q := work.NewLocal(work.Job{Slices: 1, Phases: phases[:1]})
			first := next(t, q, 0)
			require.NoError(t, first.Save(t.Context(), []byte("half")))
			var second *work.Lease
			var err error
			waiting := true
			go func() {
				second, err = q.Next(ctx, 0)
				waiting = false
			}()
			synctest.Wait()
			require.True(t, waiting, name)
			require.NoError(t, end(first))
			synctest.Wait()
			require.False(t, waiting, name)
			require.NoError(t, err)
			require.Equal(t, name == "released", second != nil)
			if second != nil {
				assert.Equal(t, "half", string(second.Checkpoint))
			}
		})
	}
}

// A phase begins when all slices of the phase before it are done, also for a worker that has not asked for that phase.
func TestPhasesAreInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		q := work.NewLocal(work.Job{Slices: 2, Phases: phases})
		require.NoError(t, next(t, q, 0).Done(t.Context(), nil))
		var begun *work.Lease
		go func() { begun, _ = q.Next(ctx, 1) }()
		synctest.Wait()
		require.Nil(t, begun)
		_, err := q.Reports(t.Context())
		require.EqualError(t, err, "work: the reports of a job are read before it is done")
		require.NoError(t, next(t, q, 0).Done(t.Context(), nil))
		synctest.Wait()
		require.NotNil(t, begun)
	})
}

// A lease that was released or is done cannot write, also while its worker does not know it.
func TestEndedLease(t *testing.T) {
	ctx := t.Context()
	q := work.NewLocal(work.Job{Slices: 1, Phases: phases[:1]})
	first := next(t, q, 0)
	require.NoError(t, first.Renew(ctx))
	require.NoError(t, first.Release(ctx))
	second := next(t, q, 0)
	require.ErrorIs(t, first.Save(ctx, nil), work.ErrLost)
	require.ErrorIs(t, first.Renew(ctx), work.ErrLost)
	require.ErrorIs(t, first.Done(ctx, []byte("of the first")), work.ErrLost)
	require.NoError(t, first.Release(ctx))
	require.NoError(t, second.Done(ctx, []byte("of the second")))
	require.NoError(t, second.Release(ctx))
	require.ErrorIs(t, second.Save(ctx, nil), work.ErrLost)
	reports, err := q.Reports(ctx)
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("of the second")}, reports)
}

// The error of a wait and of a write contains the cause and the place.
func TestContextEnds(t *testing.T) {
	q := work.NewLocal(work.Job{Slices: 1, Phases: phases[:1]})
	l := next(t, q, 0)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the process stops"))
	_, err := q.Next(ctx, 0)
	require.EqualError(t, err, "work: read slice 0 of copies of customers: context canceled")
	require.EqualError(t, l.Save(ctx, nil), "work: save slice 0 of copies of customers: context canceled")
	synctest.Test(t, func(t *testing.T) {
		q := work.NewLocal(work.Job{Slices: 1, Phases: phases[:1]})
		next(t, q, 0)
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			synctest.Wait()
			cancel(errors.New("the process stops"))
		}()
		_, err := q.Next(ctx, 0)
		require.EqualError(t, err, "work: wait for the slices of copies of customers: the process stops")
	})
}

// A worker that chooses its slice gets it unless another worker has it, with the checkpoint at which the slice was released.
func TestChosenSlice(t *testing.T) {
	ctx := t.Context()
	q := work.NewLocal(work.Job{Slices: 2, Phases: phases[:1]})
	s, err := q.ReadSlice(ctx, 0, 1)
	require.NoError(t, err)
	require.False(t, s.Held)
	lease, err := s.Lease(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, lease.Slice)
	second, err := s.Lease(ctx)
	require.NoError(t, err)
	require.Nil(t, second, "it was leased after it was read")
	s, err = q.ReadSlice(ctx, 0, 1)
	require.NoError(t, err)
	require.True(t, s.Held)
	require.NoError(t, lease.ReleaseAt(ctx, []byte("half")))
	s, err = q.ReadSlice(ctx, 0, 1)
	require.NoError(t, err)
	require.False(t, s.Held)
	require.Equal(t, "half", string(s.Checkpoint))
}
