package store

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// between records requests, and makes a call before each read of the rows of a part.
type between struct {
	storetest.Requests
	calls []func()
}

func (b *between) Start(ctx context.Context, q mapper.Request) context.Context {
	if len(b.calls) > 0 && q.Op == "GetWith" && q.Aggregate == "Bid" {
		call := b.calls[0]
		b.calls = b.calls[1:]
		call()
	}
	return b.Requests.Start(ctx, q)
}

// A versioned root and its part are read as one save has left them, with the requests that aml explain prints. If the root is saved
// in between, both are read again.
func TestGetWithVersionedPart(t *testing.T) {
	t.Parallel()
	_, explained := explainedStructs(t, "../models/auction")
	onStores(t, generated[*auction.Store]{auction.Schema, auction.Open, auction.OpenBackend}, func(t *testing.T, s *auction.Store, sent *between) {
		ctx := t.Context()
		_, _, err := s.Auctions.GetWithBid(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		a := newAuction(1)
		require.NoError(t, s.Auctions.InsertWith(ctx, a, bid(1, 5, "Ana"), bid(1, 7, "Bia")))
		require.NoError(t, s.Auctions.InsertWith(ctx, newAuction(2), bid(2, 9, "Eva")))
		sent.Drain()
		got, bids, err := s.Auctions.GetWithBid(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, a, got)
		require.Equal(t, []*auction.Bid{bid(1, 7, "Bia"), bid(1, 5, "Ana")}, bids)
		requireInOrder(t, operation(t, explained["Auction"], "GetWithBid"), sent.Drain())

		_, bids, err = s.With(mapper.Options{Serial: true}).Auctions.GetWithBid(ctx, 1)
		require.NoError(t, err)
		require.Len(t, bids, 2)
		for _, r := range sent.Drain() {
			require.NotZero(t, r.SerialConsistency)
		}

		counted := func(change func(*itsParts)) func() {
			return func() {
				_, err := s.Auctions.Update(ctx, 1, func(a *anAuction, p *itsParts) error { a.Count++; change(p); return nil })
				require.NoError(t, err)
			}
		}
		sent.calls = []func(){
			counted(func(p *itsParts) { p.Bid.Insert(bid(1, 11, "Eva")) }),
			counted(func(p *itsParts) { p.Bid.Delete(11, "Eva"); p.Bid.Delete(7, "Bia"); p.Bid.Delete(5, "Ana") }),
		}
		got, bids, err = s.Auctions.GetWithBid(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, int32(2), got.Count)
		require.Empty(t, bids, "rows that do not exist have the version of their root, too")

		sent.calls = []func(){func() { require.NoError(t, s.Auctions.Delete(ctx, 1)) }}
		_, _, err = s.Auctions.GetWithBid(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.Empty(t, sent.calls)
		_, bids, err = s.Auctions.GetWithBid(ctx, 2)
		require.NoError(t, err)
		require.Equal(t, []*auction.Bid{bid(2, 9, "Eva")}, bids)

		require.NoError(t, s.Shelves.InsertWith(ctx, &auction.Shelf{Hall: "n", Number: 1}, &auction.Box{Hall: "n", Number: 1, Code: "a"}))
		_, boxes, err := s.Shelves.GetWithBox(ctx, "n", 1)
		require.NoError(t, err)
		require.Equal(t, []*auction.Box{{Hall: "n", Number: 1, Code: "a"}}, boxes)
	})
}

// Parts that no Update has passed to its function are refused with a message that says so.
func TestPartsOfNoUpdate(t *testing.T) {
	t.Parallel()
	var p auction.AuctionParts
	_, err := p.Bid.Get(5, "Ana")
	require.ErrorContains(t, err, "the parts of no Update")
	for _, write := range []func(){
		func() { p.Bid.Insert(bid(1, 5, "Ana")) },
		func() { p.Bid.Put(bid(1, 5, "Ana")) },
		func() { p.Bid.Change(bid(1, 5, "Ana"), bid(1, 5, "Ana")) },
		func() { p.Bid.Delete(5, "Ana") },
	} {
		require.PanicsWithError(t, err.Error(), write)
	}
}
