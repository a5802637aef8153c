package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// pageOf is the method AllPage of a table.
type pageOf[T any] = func(context.Context, string) (mapper.Page[T], error)

// requirePaged requires that the pages of a table have the given rows in their order.
func requirePaged[T any](t *testing.T, page pageOf[T], want []*T) (sizes []int) {
	t.Helper()
	got := []*T{}
	for _, p := range storetest.Pages(t, func(token string) (mapper.Page[T], error) { return page(t.Context(), token) }) {
		got, sizes = append(got, p...), append(sizes, len(p))
	}
	require.Equal(t, want, got)
	return sizes
}

// The pages of a table have the rows of All: without deleted roots, and without partitions that have only static values or parts.
func TestAllPage(t *testing.T) {
	root := explained(t, "../models/auction", "auctions")
	onAuctions(t, func(t *testing.T, s *auction.Store, sent *storetest.Requests) {
		ctx := t.Context()
		for id := range int32(130) {
			require.NoError(t, s.Auctions.Insert(ctx, newAuction(id)))
			if id%40 == 0 {
				_, err := s.Auctions.Update(ctx, id, func(_ *anAuction, p *itsParts) error {
					p.Bid.Insert(bid(id, 5, "Ana"))
					p.Bid.Insert(bid(id, 6, "Bia"))
					return nil
				})
				require.NoError(t, err)
			}
			if id%9 == 0 {
				require.NoError(t, s.Auctions.Delete(ctx, id))
			}
		}
		all := collected(t, s.Auctions.All(ctx, mapper.ScanConfig{}))
		require.Len(t, all, 130-15)
		sent.Drain()
		require.Len(t, requirePaged(t, s.Auctions.AllPage, all), 2)
		for _, r := range sent.Drain() {
			require.Equal(t, "AllPage", r.Op)
			require.Equal(t, operation(t, root, "AllPage").Requests[0].Writes[0].Statements[0].CQL, r.Statements[0].CQL)
		}
		requirePaged(t, s.Bid.AllPage, collected(t, s.Bid.All(ctx, mapper.ScanConfig{})))
		requirePaged(t, s.BidNote.AllPage, collected(t, s.BidNote.All(ctx, mapper.ScanConfig{})))
		copies := s.With(mapper.Options{Verified: true}).AuctionsBySeller
		requirePaged(t, copies.AllPage, collected(t, copies.All(ctx, mapper.ScanConfig{})))
		for _, o := range []mapper.Options{{Verified: true}, {Serial: true}, {Consistency: mapper.One}} {
			_, err := s.With(o).Auctions.AllPage(ctx, "")
			require.ErrorContains(t, err, "mapper: AllPage Auction (auctions): ")
		}
	})
}

// The pages after the first one have as many rows as have about 1 MiB, and a token is bound to its table and its store.
func TestAllPageTokens(t *testing.T) {
	t.Parallel()
	for name, key := range map[string][]byte{"bound": nil, "sealed": slices.Repeat([]byte{7}, 32)} {
		t.Run(name, func(t *testing.T) {
			ctx, backend := t.Context(), memory.New(memory.Config{})
			store, err := stock.OpenBackend(ctx, backend, mapper.Config{TokenKey: key})
			require.NoError(t, err)
			const rows = 150
			for i := range rows {
				require.NoError(t, store.Guards.Insert(ctx, &stock.Guard{ID: int32(i), Name: fmt.Sprint(i, string(slices.Repeat([]byte{'x'}, 1<<15)))}))
			}
			all := collected(t, store.Guards.All(ctx, mapper.ScanConfig{}))
			require.Equal(t, []int{100, 31, 19}, requirePaged(t, store.Guards.AllPage, all))
			first, err := store.Guards.AllPage(ctx, "")
			require.NoError(t, err)
			refused := func(page pageOf[stock.Guard], token string) {
				t.Helper()
				p, err := page(ctx, token)
				require.ErrorIs(t, err, mapper.ErrPageToken)
				require.Empty(t, p.Items)
			}
			_, err = store.GuardsByCode.AllPage(ctx, first.Next)
			require.ErrorIs(t, err, mapper.ErrPageToken)
			other, err := stock.OpenBackend(ctx, backend, mapper.Config{TokenKey: slices.Repeat([]byte{8}, 32)})
			require.NoError(t, err)
			refused(other.Guards.AllPage, first.Next)
			raw, err := base64.RawURLEncoding.DecodeString(first.Next)
			require.NoError(t, err)
			for i := range raw {
				changed := slices.Clone(raw)
				changed[i] ^= 1
				refused(store.Guards.AllPage, base64.RawURLEncoding.EncodeToString(changed))
				if i > 0 {
					refused(store.Guards.AllPage, base64.RawURLEncoding.EncodeToString(raw[:i]))
				}
			}
		})
	}
	var closed stock.GuardsTable
	_, err := closed.AllPage(t.Context(), "")
	require.EqualError(t, err, "mapper: the store is not open: use the store that Open returned")
}
