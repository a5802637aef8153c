package store

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/testdata/golden/counters"
	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/models/lease"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// A write whose context has ended before it is sent returns the error of the context. Its outcome is known: nothing was written.
func TestWritesWithAnEndedContext(t *testing.T) {
	check := func(t *testing.T, writes map[string]func(context.Context) error) {
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		late, cancel := context.WithTimeout(t.Context(), -1)
		defer cancel()
		for name, write := range writes {
			for _, ctx := range []context.Context{ended, late} {
				err := write(ctx)
				require.ErrorIs(t, err, ctx.Err(), name)
				_, unknown := errors.AsType[*mapper.UnknownOutcomeError](err)
				require.False(t, unknown, "%s: %v", name, err)
			}
		}
	}
	t.Run("versioned", func(t *testing.T) {
		onAuctions(t, func(t *testing.T, s *auction.Store, _ *storetest.Requests) {
			a := newAuction(1)
			require.NoError(t, s.Auctions.Insert(t.Context(), a))
			old, changed := *a, *a
			changed.Title = "Jug"
			check(t, map[string]func(context.Context) error{
				"Insert":      func(ctx context.Context) error { return s.Auctions.Insert(ctx, newAuction(2)) },
				"InsertOrGet": func(ctx context.Context) error { _, err := s.Auctions.InsertOrGet(ctx, newAuction(2)); return err },
				"InsertWith":  func(ctx context.Context) error { return s.Auctions.InsertWith(ctx, newAuction(2), bid(2, 5, "Ana")) },
				"Put":         func(ctx context.Context) error { return s.Auctions.Put(ctx, newAuction(2)) },
				"Change":      func(ctx context.Context) error { return s.Auctions.Change(ctx, &old, &changed) },
				"Delete":      func(ctx context.Context) error { return s.Auctions.Delete(ctx, 1) },
				"DeleteAt":    func(ctx context.Context) error { return s.Auctions.DeleteAt(ctx, 1, a.Version) },
				"Update": func(ctx context.Context) error {
					_, err := s.Auctions.Update(ctx, 1, func(a *auction.Auction, _ *auction.AuctionParts) error { a.Title = "Jug"; return nil })
					return err
				},
				"Upsert": func(ctx context.Context) error {
					_, err := s.Auctions.Upsert(ctx, 2, func(a *auction.Auction, _ *auction.AuctionParts, _ bool) error { a.Title = "Jug"; return nil })
					return err
				},
			})
			kept, err := s.Auctions.Get(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, "Vase", kept.Title)
			_, err = s.Auctions.Get(t.Context(), 2)
			require.ErrorIs(t, err, mapper.ErrNotFound)
		})
	})
	t.Run("leases", func(t *testing.T) {
		onLeases(t, func(t *testing.T, s *lease.Store, _ *storetest.Requests) {
			check(t, map[string]func(context.Context) error{
				"InsertOrGet": func(ctx context.Context) error {
					_, err := s.Locks.InsertOrGet(ctx, &lease.Lock{ID: 1, Name: "a"})
					return err
				},
				"Put": func(ctx context.Context) error { return s.Locks.Put(ctx, &lease.Lock{ID: 1, Name: "a"}) },
			})
		})
	})
	t.Run("plain", func(t *testing.T) {
		onBoth(t, mapper.Config{}, func(t *testing.T, s *stock.Store) {
			item := &stock.Item{Hall: "north", Row: 1, Place: 1, Tier: 1, Shape: [3]float32{1}, Spot: [2]float32{1}, Value: [2]float32{1}}
			check(t, map[string]func(context.Context) error{
				"Insert": func(ctx context.Context) error { return s.Items.Insert(ctx, item) },
				"Put":    func(ctx context.Context) error { return s.Items.Put(ctx, item) },
				"Delete": func(ctx context.Context) error { return s.Items.Delete(ctx, "north", 1, 1, 1) },
				"Batch": func(ctx context.Context) error {
					b := s.Batch()
					b.Items.Insert(item)
					return b.Run(ctx)
				},
			})
		})
	})
	t.Run("counters", func(t *testing.T) {
		s, err := counters.Open(t.Context(), countersSession(t), mapper.Config{})
		require.NoError(t, err)
		check(t, map[string]func(context.Context) error{
			"Add": func(ctx context.Context) error { return s.Visits.Add(ctx, "/", counters.VisitsDelta{Number: 2}) },
		})
	})
}
