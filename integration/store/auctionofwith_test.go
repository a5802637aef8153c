package store

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// A page of parts is read with its root in one request. A page without rows takes a read of the root and one of the page after it.
func TestPagesOfPartsWithTheirRoot(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, sent *storetest.Requests) {
		ctx := t.Context()
		_, explained := explainedStructs(t, "../models/auction")
		match := func(requests int) {
			all := sent.Drain()
			require.Len(t, all, requests)
			if requests == 3 {
				requireInOrder(t, operation(t, explained["Auction"], "OfWithBid"), all[:2])
				require.Equal(t, all[0].Statements, all[2].Statements)
			}
		}
		_, _, err := s.Auctions.OfWithBid(1).Page(ctx, "")
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.ErrorContains(t, err, "mapper: OfWith Auction (auctions id=1)")

		a, full := newAuction(1), bid(1, 5, "Ana")
		full.Note, full.Tags, full.Marks, full.Address = new("first"), []string{"x", "y"}, map[string]int32{"m": 1}, &auction.Address{City: "Recife"}
		require.NoError(t, s.Auctions.Insert(ctx, a))
		sent.Drain()
		got, page, err := s.Auctions.OfWithBid(1).Page(ctx, "")
		require.NoError(t, err)
		require.Equal(t, a, got)
		require.Empty(t, page.Items)
		require.Empty(t, page.Next)
		match(3)

		a, err = s.Auctions.Update(ctx, 1, func(a *anAuction, p *itsParts) error {
			a.Highest, a.Count = 7, 3
			for _, b := range []*auction.Bid{full, bid(1, 6, "Bia"), bid(1, 6, "Eva"), bid(1, 7, "Rui")} {
				p.Bid.Insert(b)
			}
			return nil
		})
		require.NoError(t, err)
		all := []*auction.Bid{bid(1, 7, "Rui"), bid(1, 6, "Bia"), bid(1, 6, "Eva"), full}
		sent.Drain()
		got, page, err = s.Auctions.OfWithBid(1).Page(ctx, "")
		require.NoError(t, err)
		require.Equal(t, a, got)
		require.Equal(t, all, page.Items)
		match(1)
		for name, x := range map[string]struct {
			page func(context.Context, string) (*auction.Auction, mapper.Page[auction.Bid], error)
			want []*auction.Bid
		}{
			"equal":   {s.Auctions.OfWithBid(1).Cents(6).Page, all[1:3]},
			"row":     {s.Auctions.OfWithBid(1).Cents(6).Bidder("Eva").Page, all[2:3]},
			"bounds":  {s.Auctions.OfWithBid(1).CentsFrom(6).CentsBefore(7).Page, all[1:3]},
			"second":  {s.Auctions.OfWithBid(1).Cents(6).BidderAfter("Bia").BidderTo("Eva").Page, all[2:3]},
			"reverse": {s.Auctions.OfWithBid(1).CentsTo(6).Reverse().Limit(2).Page, []*auction.Bid{all[3], all[2]}},
			"serial":  {s.With(mapper.Options{Serial: true}).Auctions.OfWithBid(1).CentsAfter(6).Page, all[:1]},
			"none":    {s.Auctions.OfWithBid(1).CentsFrom(8).Page, []*auction.Bid{}},
		} {
			got, page, err := x.page(ctx, "")
			require.NoError(t, err, name)
			require.Equal(t, a, got, name)
			require.Equal(t, x.want, page.Items, name)
		}
		sent.Drain()
		var seen []*auction.Bid
		token, requests := "", 0
		for next := true; next; next = token != "" {
			got, page, err := s.Auctions.OfWithBid(1).PageSize(2).Page(ctx, token)
			require.NoError(t, err)
			require.Equal(t, a.Version, got.Version)
			if seen, token = append(seen, page.Items...), page.Next; len(page.Items) > 0 {
				requests++
			} else {
				requests += 3
			}
		}
		require.Equal(t, all, seen)
		require.Len(t, sent.Drain(), requests)
		_, _, err = s.Auctions.OfWithBid(1).Page(ctx, "wrong")
		require.ErrorIs(t, err, mapper.ErrPageToken)
		_, _, err = s.Auctions.OfWithBid(1).Limit(-1).Page(ctx, "")
		require.ErrorContains(t, err, "the limit is -1")

		require.NoError(t, s.Auctions.Delete(ctx, 1))
		_, _, err = s.Auctions.OfWithBid(1).Page(ctx, "")
		require.ErrorIs(t, err, mapper.ErrNotFound)
		shelf := &auction.Shelf{Hall: "n", Number: 9, Boxes: 4}
		require.NoError(t, s.Shelves.InsertWith(ctx, shelf, &auction.Box{Hall: "n", Number: 9, Code: "a"}))
		readShelf, boxes, err := s.Shelves.OfWithBox("n", 9).CodeFrom("a").Page(ctx, "")
		require.NoError(t, err)
		require.Equal(t, shelf, readShelf)
		require.Equal(t, []*auction.Box{{Hall: "n", Number: 9, Code: "a"}}, boxes.Items)
	})
}

// Rows of a part whose root has no version, because another program wrote them, do not show whether the root exists.
func TestPagesOfPartsWithoutAVersion(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, auction.Schema)
	s, err := auction.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	require.NoError(t, session.ExecStmt("INSERT INTO auctions (id, cents, bidder, state) VALUES (71, 5, 'Ana', 'active')"))
	_, _, err = s.Auctions.OfWithBid(71).Page(t.Context(), "")
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.NoError(t, session.ExecStmt("INSERT INTO auctions (id, title) VALUES (71, 'Vase')"))
	a, page, err := s.Auctions.OfWithBid(71).Page(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, &auction.Auction{ID: 71, Title: "Vase"}, a)
	require.Len(t, page.Items, 1)
}
