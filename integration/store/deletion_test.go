package store

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/library"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// onInlineDeletions calls test with stores of which one call deletes or clears a number of roots.
func onInlineDeletions(t *testing.T, inline int, test func(t *testing.T, s *library.Store, open func(mapper.Config) *library.Store)) {
	t.Parallel()
	config := mapper.Config{FanOutInline: inline, Lease: 10 * time.Millisecond}
	t.Run("memory", func(t *testing.T) {
		backend := memory.New(memory.Config{})
		open := func(c mapper.Config) *library.Store {
			s, err := library.OpenBackend(t.Context(), backend, c)
			require.NoError(t, err)
			return s
		}
		test(t, open(config), open)
	})
	t.Run("node", func(t *testing.T) {
		session := storetest.SharedTables(t, library.Schema)
		open := func(c mapper.Config) *library.Store {
			s, err := library.Open(t.Context(), session, c)
			require.NoError(t, err)
			return s
		}
		test(t, open(config), open)
	})
}

// insertSeries inserts a series and papers of it.
func insertSeries(t *testing.T, s *library.Store, v *library.Series, papers int32) {
	t.Helper()
	require.NoError(t, s.Series.Insert(t.Context(), v))
	for n := range papers {
		require.NoError(t, s.Papers.Insert(t.Context(), &library.Paper{ID: 100*v.ID + n, Name: "p", Series: &v.ID}))
	}
}

// countPapers returns the number of papers.
func countPapers(t *testing.T, s *library.Store) (n int) {
	t.Helper()
	for _, err := range s.Papers.All(t.Context(), mapper.ScanConfig{}) {
		require.NoError(t, err)
		n++
	}
	return n
}

// finishAndClean runs FanOut, and checks that nothing is left to reconcile.
func finishAndClean(t *testing.T, s *library.Store) {
	t.Helper()
	require.NoError(t, s.FanOut(t.Context(), mapper.FanOutConfig{}))
	time.Sleep(20 * time.Millisecond) // longer than Config.Lease
	clean(t, s)
}

// A deletion of a root to which more roots refer than one call may delete returns a *mapper.PendingError. The root still exists until another Delete,
// FanOut or Reconcile has finished the deletion.
func TestDeletionOfMany(t *testing.T) {
	finish := map[string]func(t *testing.T, s *library.Store){
		"Delete": func(t *testing.T, s *library.Store) {
			var pending *mapper.PendingError
			require.ErrorAs(t, s.Series.Delete(t.Context(), 1), &pending)
			require.Equal(t, 3, pending.Done)
			require.NoError(t, s.Series.Delete(t.Context(), 1))
		},
		"FanOut": func(t *testing.T, s *library.Store) {
			var last mapper.FanOutProgress
			require.NoError(t, s.FanOut(t.Context(), mapper.FanOutConfig{Progress: func(p mapper.FanOutProgress) { last = p }}))
			require.Equal(t, mapper.FanOutProgress{Served: 1}, last)
		},
		"Reconcile": func(t *testing.T, s *library.Store) {
			time.Sleep(20 * time.Millisecond) // longer than Config.Lease
			var found []string
			_, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Found: func(d mapper.Drift) { found = append(found, d.Table+" "+d.Key+" "+d.Kind.String()) }})
			require.NoError(t, err)
			require.Equal(t, []string{"series id=1 deleting"}, found)
		},
	}
	for name, finish := range finish {
		t.Run(name, func(t *testing.T) {
			onInlineDeletions(t, 3, func(t *testing.T, s *library.Store, _ func(mapper.Config) *library.Store) {
				ctx := t.Context()
				insertSeries(t, s, &library.Series{ID: 1}, 8)
				err := s.Series.Delete(ctx, 1)
				var pending *mapper.PendingError
				require.ErrorAs(t, err, &pending)
				require.Equal(t, &mapper.PendingError{Aggregate: "Series", Table: "series", Key: "id=1", Done: 3}, pending)
				require.EqualError(t, err, "mapper: Delete Series (series id=1): 3 aggregates that refer to it were deleted or cleared, and there are more: "+
					"FanOut, Reconcile or another Delete finishes the deletion")
				require.False(t, mapper.OutcomeUnknown(err))
				require.Equal(t, 5, countPapers(t, s))
				_, err = s.Series.Get(ctx, 1)
				require.NoError(t, err, "it is still there")
				finish(t, s)
				require.Zero(t, countPapers(t, s))
				_, err = s.Series.Get(ctx, 1)
				require.ErrorIs(t, err, mapper.ErrNotFound)
				finishAndClean(t, s)
			})
		})
	}
}

// Roots whose reference is cleared count as those that are deleted. With a negative Config.FanOutInline a call deletes and clears none.
func TestDeletionOfManyWithoutInline(t *testing.T) {
	onInlineDeletions(t, -1, func(t *testing.T, s *library.Store, _ func(mapper.Config) *library.Store) {
		ctx := t.Context()
		insertAuthors(t, s, 1, 2, 3)
		require.NoError(t, s.Papers.Insert(ctx, &library.Paper{ID: 1, Name: "p", Editor: new(int32(1)), Author: new(int32(3))}))
		require.NoError(t, s.Authors.Delete(ctx, 2), "nothing refers to it")
		var held *mapper.HeldError
		require.ErrorAs(t, s.Authors.Delete(ctx, 3), &held)
		var pending *mapper.PendingError
		v, err := s.Authors.Get(ctx, 1)
		require.NoError(t, err)
		require.ErrorAs(t, s.Authors.DeleteAt(ctx, 1, v.Version), &pending)
		require.Zero(t, pending.Done)
		finishAndClean(t, s)
		p, err := s.Papers.Get(ctx, 1)
		require.NoError(t, err)
		require.Nil(t, p.Editor)
		_, err = s.Authors.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
	})
}

// A root that is deleted with another can have more roots that are deleted with it, at each level. What a call that waits for the deletion may delete
// is limited, too.
func TestDeletionOfManyLevels(t *testing.T) {
	onInlineDeletions(t, 2, func(t *testing.T, s *library.Store, _ func(mapper.Config) *library.Store) {
		ctx := t.Context()
		insertSeries(t, s, &library.Series{ID: 1}, 5)
		insertSeries(t, s, &library.Series{ID: 2, Parent: new(int32(1))}, 5)
		insertSeries(t, s, &library.Series{ID: 3, Parent: new(int32(2))}, 40)
		_, err := s.Series.Update(ctx, 1, func(v *library.Series) error { v.Parent = new(int32(3)); return nil })
		require.NoError(t, err, "a cycle")
		var pending *mapper.PendingError
		require.ErrorAs(t, s.Series.Delete(ctx, 1), &pending)
		err = s.Papers.Insert(ctx, &library.Paper{ID: 1, Name: "p", Series: new(int32(1))})
		require.ErrorIs(t, err, mapper.ErrBusy)
		require.Positive(t, countPapers(t, s))
		finishAndClean(t, s)
		require.Zero(t, countPapers(t, s))
		for id := range int32(3) {
			_, err = s.Series.Get(ctx, id+1)
			require.ErrorIs(t, err, mapper.ErrNotFound)
		}
	})
}

// A process that ends in the middle of a deletion leaves a root that FanOut finds.
func TestDeletionThatEndsEarly(t *testing.T) {
	onInlineDeletions(t, 100, func(t *testing.T, s *library.Store, open func(mapper.Config) *library.Store) {
		insertSeries(t, s, &library.Series{ID: 1}, 30)
		ctx, end := context.WithCancel(t.Context())
		tracer := &endAfter{saves: 12, end: end}
		require.Error(t, open(mapper.Config{Tracer: tracer}).Series.Delete(ctx, 1))
		require.NotZero(t, countPapers(t, s))
		finishAndClean(t, s)
		require.Zero(t, countPapers(t, s))
	})
}

// endAfter ends a context after a number of conditional statements.
type endAfter struct {
	storetest.Requests
	saves int
	end   context.CancelFunc
}

func (e *endAfter) Start(ctx context.Context, r mapper.Request) context.Context {
	if r.SerialConsistency != 0 {
		if e.saves--; e.saves == 0 {
			e.end()
		}
	}
	return e.Requests.Start(ctx, r)
}

// Roots that cannot be saved do not stop the deletion of those that are in another reverse table.
func TestDeletionGoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	for _, failing := range []string{"authors", "papers"} {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s, err := library.OpenBackend(ctx, backend, mapper.Config{FanOutInline: -1, Lease: 10 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		insertSeries(t, s, &library.Series{ID: 1}, 3)
		require.NoError(t, s.Authors.Insert(ctx, &library.Author{ID: 1, Favorite: new(int32(1))}))
		require.ErrorAs(t, s.Series.Delete(ctx, 1), new(*mapper.PendingError))
		time.Sleep(20 * time.Millisecond) // longer than Config.Lease
		backend.Intercept(func(r memory.Request) memory.Outcome {
			if r.Conditional && r.Write && slices.Contains(r.Tables, failing) {
				return memory.Refused
			}
			return memory.Done
		})
		require.Error(t, s.FanOut(ctx, mapper.FanOutConfig{}), failing)
		backend.Intercept(nil)
		a, err := s.Authors.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, failing == "authors", a.Favorite != nil, failing)
		require.Equal(t, failing == "papers", countPapers(t, s) == 3, failing)
		finishAndClean(t, s)
		require.Zero(t, countPapers(t, s))
	}
}
