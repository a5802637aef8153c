package store

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A Put of a version other than 0 replaces only the row that has this version. With version 0 it replaces any row.
func TestPutOfAVersion(t *testing.T) {
	t.Parallel()
	onStores(t, generated[*auction.Store]{auction.Schema, auction.Open, auction.OpenBackend}, func(t *testing.T, s *auction.Store, sent *beforePut) {
		ctx := t.Context()
		v := newAuction(1)
		require.NoError(t, s.Auctions.Put(ctx, v), "there is no row")
		first := v.Version
		v.Title = "second"
		require.NoError(t, s.Auctions.Put(ctx, v))
		require.Greater(t, v.Version, first)

		refused := func(v *auction.Auction, why string) {
			t.Helper()
			version := v.Version
			err := s.Auctions.Put(ctx, v)
			require.ErrorIs(t, err, mapper.ErrConflict, why)
			require.True(t, mapper.SafeToRepeat(err), "nothing was written")
			require.Equal(t, version, v.Version)
		}
		stale := newAuction(1)
		stale.Title, stale.Version = "stale", first
		refused(stale, "the row has a later version")
		stale.Version = v.Version + 2
		refused(stale, "the row has an earlier version")
		missing := newAuction(2)
		missing.Version = first
		refused(missing, "there is no row")

		between := *v
		sent.call = func() {
			_, err := s.Auctions.Update(ctx, 1, func(a *anAuction, _ *itsParts) error { a.Title = "third"; return nil })
			require.NoError(t, err)
		}
		refused(&between, "another save came after the read")
		got, err := s.Auctions.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, "third", got.Title)

		stale.Version = 0
		require.NoError(t, s.Auctions.Put(ctx, stale), "whatever there is")
		require.NoError(t, s.Auctions.Delete(ctx, 1))
		refused(stale, "the row is deleted")
		stale.Version = 0
		require.NoError(t, s.Auctions.Put(ctx, stale))
		got, err = s.Auctions.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, stale, got)
	})

	t.Run("memory/unknown outcome", bubble(func(t *testing.T) {
		b := memory.New(memory.Config{})
		s, err := auction.OpenBackend(t.Context(), b, mapper.Config{Timeout: 300 * time.Millisecond})
		require.NoError(t, err)
		v := newAuction(1)
		require.NoError(t, s.Auctions.Insert(t.Context(), v))
		b.Intercept(func(r memory.Request) memory.Outcome {
			if r.Write && slices.Contains(r.Tables, "auctions") {
				return memory.LostRequest
			}
			return memory.Done
		})
		var unknown *mapper.UnknownOutcomeError
		require.ErrorAs(t, s.Auctions.Put(t.Context(), v), &unknown)
		require.False(t, unknown.Repeatable, "the version may be that of the call itself")
		v.Version = 0
		require.ErrorAs(t, s.Auctions.Put(t.Context(), v), &unknown)
		require.True(t, unknown.Repeatable)
	}))
}

// beforePut is a tracer that makes a call before the conditional statement of the next Put.
type beforePut struct {
	storetest.Requests
	call func()
}

func (b *beforePut) Start(ctx context.Context, q mapper.Request) context.Context {
	if call := b.call; call != nil && q.Op == "Put" && q.Conditional {
		b.call = nil
		call()
	}
	return b.Requests.Start(ctx, q)
}
