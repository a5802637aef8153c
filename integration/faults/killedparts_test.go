package faults

import (
	"context"
	"errors"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// bidWriter places bids in an auction that other writers change, too: each is the next number of the auction, and is counted in it.
type bidWriter struct {
	store                          *auction.Store
	acknowledged, unknown, refused int32
	wrong                          []error // results that cannot be
}

const killedAuction = 1

func (w *bidWriter) write(ctx context.Context) {
	_, err := w.store.Auctions.Update(ctx, killedAuction, func(a *auction.Auction, p *auction.AuctionParts) error {
		a.Count++
		a.Highest = int64(a.Count)
		p.Bid.Insert(&auction.Bid{AuctionID: killedAuction, Cents: a.Highest, Bidder: "Ana", State: auction.Active})
		return nil
	})
	var outcome *mapper.UnknownOutcomeError
	switch {
	case err == nil:
		w.acknowledged++
	case errors.As(err, &outcome):
		w.unknown++
	case errors.Is(err, mapper.ErrExists):
		w.wrong = append(w.wrong, err) // no other writer can have placed the bid with this number
	default:
		w.refused++
	}
}

// bidWriters returns writers of one auction, which run concurrently with those of jobs.
func bidWriters(t *testing.T, session gocqlx.Session, n int) (out []*bidWriter) {
	t.Helper()
	storetest.Execute(t, session, auction.Schema)
	store, err := auction.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	require.NoError(t, store.Auctions.Insert(t.Context(), &auction.Auction{ID: killedAuction, Title: "Vase", Lot: "a", Seller: "Rui"}))
	for range n {
		out = append(out, &bidWriter{store: store})
	}
	return out
}

// requireCountedBids requires that the auction has counted each of its bids, that no acknowledged bid is lost, and that the copy has the
// last one after another save.
func requireCountedBids(t *testing.T, writers []*bidWriter) {
	t.Helper()
	var acknowledged, unknown, refused int32
	for _, w := range writers {
		require.Empty(t, w.wrong)
		acknowledged, unknown, refused = acknowledged+w.acknowledged, unknown+w.unknown, refused+w.refused
	}
	store := writers[0].store
	a, bids, err := store.With(mapper.Options{Serial: true}).Auctions.GetWithBid(t.Context(), killedAuction)
	require.NoError(t, err)
	t.Logf("%d bids, %d acknowledged, %d of unknown outcome, %d refused", a.Count, acknowledged, unknown, refused)
	require.Positive(t, acknowledged)
	require.GreaterOrEqual(t, a.Count, acknowledged)
	require.LessOrEqual(t, a.Count, acknowledged+unknown)
	require.Len(t, bids, int(a.Count))
	for i, b := range bids {
		require.Equal(t, int64(a.Count)-int64(i), b.Cents)
	}
	_, err = store.Auctions.Update(t.Context(), killedAuction, func(*auction.Auction, *auction.AuctionParts) error { return nil })
	require.NoError(t, err)
	row, err := store.With(mapper.Options{Consistency: mapper.All}).AuctionsBySeller.Get(t.Context(), "Rui", killedAuction)
	require.NoError(t, err)
	require.Equal(t, a.Highest, row.Highest)
}
