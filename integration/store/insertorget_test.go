package store

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/models/hotel"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// InsertOrGet inserts a value, or returns the one that is there from the statement that was refused because of it: one request.
func TestInsertOrGet(t *testing.T) {
	t.Parallel()
	onStores(t, generated[*hotel.Store]{hotel.Schema, hotel.Open, hotel.OpenBackend}, func(t *testing.T, s *hotel.Store, sent *storetest.Requests) {
		ctx := t.Context()
		first := &hotel.Booking{Room: "7", Night: 1, Guest: 1, State: "pending"}
		sent.Drain()
		found, err := s.Bookings.InsertOrGet(ctx, first)
		require.NoError(t, err)
		require.Nil(t, found)
		require.Positive(t, first.Version)
		require.Len(t, sent.Drain(), 1)

		second := &hotel.Booking{Room: "7", Night: 1, Guest: 2, State: "pending"}
		found, err = s.Bookings.InsertOrGet(ctx, second)
		require.NoError(t, err)
		require.Equal(t, first, found)
		require.Zero(t, second.Version)
		require.Len(t, sent.Drain(), 1)

		require.NoError(t, s.Bookings.DeleteAt(ctx, "7", 1, first.Version))
		sent.Drain()
		found, err = s.Bookings.InsertOrGet(ctx, second)
		require.NoError(t, err)
		require.Nil(t, found)
		require.Len(t, sent.Drain(), 2, "the deleted row is in the answer, too, and is not read")
		require.Greater(t, second.Version, first.Version, "the version of the deleted row continues")
		got, err := s.Bookings.Get(ctx, "7", 1)
		require.NoError(t, err)
		require.Equal(t, second, got)
		_, err = s.Bookings.InsertOrGet(ctx, nil)
		require.ErrorContains(t, err, "InsertOrGet")
	})
}

// A row of a root with parts is found in its static columns.
func TestInsertOrGetOfARootWithParts(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, _ *storetest.Requests) {
		ctx := t.Context()
		a := newAuction(1)
		require.NoError(t, s.Auctions.InsertWith(ctx, a, bid(1, 5, "Ana")))
		other := newAuction(1)
		found, err := s.Auctions.InsertOrGet(ctx, other)
		require.NoError(t, err)
		require.Equal(t, a, found)
		require.NoError(t, s.Auctions.Delete(ctx, 1))
		found, err = s.Auctions.InsertOrGet(ctx, other)
		require.NoError(t, err)
		require.Nil(t, found)
		_, bids, err := s.Auctions.GetWithBid(ctx, 1)
		require.NoError(t, err)
		require.Empty(t, bids)
		taken := newAuction(2)
		taken.Lot = other.Lot
		_, err = s.Auctions.InsertOrGet(ctx, taken)
		_, duplicate := errors.AsType[*mapper.DuplicateError](err)
		require.True(t, duplicate, "%v", err)
	})
}
