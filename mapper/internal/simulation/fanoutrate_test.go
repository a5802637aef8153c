package simulation

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/library"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// FanOutConfig.Rate limits all roots that a deletion deletes, also those that are deleted with a root that refers to the target.
func TestRateOfADeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		open := func(inline int) *library.Store {
			s, err := library.OpenBackend(ctx, backend, mapper.Config{FanOutInline: inline, Lease: 10 * time.Millisecond, Logger: discardLogger})
			require.NoError(t, err)
			return s
		}
		s := open(-1)
		require.NoError(t, s.Series.Insert(ctx, &library.Series{ID: 1}))
		require.NoError(t, s.Series.Insert(ctx, &library.Series{ID: 2, Parent: new(int32(1))}))
		const papers, rate = 40, 2
		for id := range int32(papers) {
			require.NoError(t, s.Papers.Insert(ctx, &library.Paper{ID: id, Series: new(int32(2))}))
		}
		require.ErrorAs(t, s.Series.Delete(ctx, 1), new(*mapper.PendingError))
		time.Sleep(20 * time.Millisecond) // longer than Config.Lease
		began := time.Now()
		require.NoError(t, open(100).FanOut(ctx, mapper.FanOutConfig{Rate: rate}))
		require.Greater(t, time.Since(began), (papers-16)*time.Second/rate)
		_, err := s.Series.Get(ctx, 2)
		require.ErrorIs(t, err, mapper.ErrNotFound)
	})
}
