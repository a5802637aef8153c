package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// The function of an Update deletes ranges of a part, each with one statement of its conditional batch. The rows around them stay.
func TestRangesOfVersionedParts(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, sent *storetest.Requests) {
		ctx := t.Context()
		for name, c := range map[string]struct {
			remove func(p auction.BidParts)
			where  string
			left   []int64
		}{
			"to":     {func(p auction.BidParts) { p.Of().CentsTo(3).Delete() }, " AND cents <= ?", []int64{4, 5, 6}},
			"before": {func(p auction.BidParts) { p.Of().CentsBefore(3).Delete() }, " AND cents < ?", []int64{3, 4, 5, 6}},
			"from":   {func(p auction.BidParts) { p.Of().CentsFrom(3).Delete() }, " AND cents >= ?", []int64{1, 2}},
			"after":  {func(p auction.BidParts) { p.Of().CentsAfter(3).Delete() }, " AND cents > ?", []int64{1, 2, 3}},
			"both":   {func(p auction.BidParts) { p.Of().CentsFrom(2).CentsBefore(5).Delete() }, " AND cents >= ? AND cents < ?", []int64{1, 5, 6}},
			"equal":  {func(p auction.BidParts) { p.Of().Cents(3).Delete() }, " AND cents = ?", []int64{1, 2, 4, 5, 6}},
			"second": {func(p auction.BidParts) { p.Of().Cents(3).BidderAfter("A").BidderTo("Ana").Delete() }, " AND cents = ? AND bidder > ? AND bidder <= ?", []int64{1, 2, 4, 5, 6}},
			"row":    {func(p auction.BidParts) { p.Of().Cents(3).Bidder("Ana").Delete() }, " AND cents = ? AND bidder = ?", []int64{1, 2, 4, 5, 6}},
			"none":   {func(p auction.BidParts) { p.Of().Cents(3).Bidder("Bia").Delete() }, " AND cents = ? AND bidder = ?", []int64{1, 2, 3, 4, 5, 6}},
		} {
			require.NoError(t, s.Auctions.Delete(ctx, 1))
			require.NoError(t, s.Auctions.InsertWith(ctx, newAuction(1), bid(1, 1, "Ana"), bid(1, 2, "Ana"), bid(1, 3, "Ana"), bid(1, 4, "Ana"), bid(1, 5, "Ana"), bid(1, 6, "Ana")))
			sent.Drain()
			saved, err := s.Auctions.Update(ctx, 1, func(a *anAuction, p *itsParts) error { a.Count++; c.remove(p.Bid); return nil })
			require.NoError(t, err, name)
			all, _ := statements(sent)
			require.Contains(t, all, "DELETE FROM auctions WHERE id = ?"+c.where, name)
			var left []int64
			for _, b := range collected(t, s.Bid.Of(1).Reverse().All(ctx)) {
				left = append(left, b.Cents)
			}
			require.Equal(t, c.left, left, name)
			root, err := s.Auctions.Get(ctx, 1)
			require.NoError(t, err)
			require.Equal(t, saved, root)
		}
	})
}

// A function does not see the rows of a range that it has deleted, and cannot write one of them, before or after the deletion.
func TestRangesOfVersionedPartsInAFunction(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Auctions.InsertWith(ctx, newAuction(2), bid(2, 1, "Ana"), bid(2, 2, "Ana"), bid(2, 9, "Ana")))
		_, err := s.Auctions.Update(ctx, 2, func(_ *anAuction, p *itsParts) error {
			_, err := p.Bid.Get(1, "Ana")
			require.NoError(t, err)
			p.Bid.Of().CentsTo(2).Delete()
			p.Bid.Of().CentsFrom(2).CentsTo(3).Delete()
			for cents := range int64(4) {
				_, err := p.Bid.Get(cents, "Ana")
				require.ErrorIs(t, err, mapper.ErrNotFound)
			}
			p.Bid.Insert(bid(2, 4, "Ana"))
			p.Bid.Delete(9, "Ana")
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, []*auction.Bid{bid(2, 4, "Ana")}, collected(t, s.Bid.Of(2).All(ctx)))

		for name, write := range map[string]func(p auction.BidParts){
			"Insert": func(p auction.BidParts) { p.Insert(bid(2, 3, "Ana")) },
			"Put":    func(p auction.BidParts) { p.Put(bid(2, 4, "Ana")) },
			"Change": func(p auction.BidParts) { p.Change(bid(2, 4, "Ana"), bid(2, 4, "Ana")) },
			"Delete": func(p auction.BidParts) { p.Delete(4, "Ana") },
		} {
			sent.Drain()
			refused := func(first, second func(p auction.BidParts)) {
				_, err := s.Auctions.Update(ctx, 2, func(a *anAuction, p *itsParts) error { first(p.Bid); second(p.Bid); return nil })
				require.ErrorContains(t, err, "a server cannot order the two", name)
				require.ErrorContains(t, err, "cents=", name)
			}
			remove := func(p auction.BidParts) { p.Of().CentsTo(4).Delete() }
			if name != "Change" {
				refused(remove, write)
			}
			refused(write, remove)
		}
		changed := bid(2, 4, "Ana")
		changed.Note = new("changed")
		_, err = s.Auctions.Update(ctx, 2, func(_ *anAuction, p *itsParts) error {
			p.Bid.Of().CentsTo(4).Delete()
			p.Bid.Change(bid(2, 4, "Ana"), changed)
			return nil
		})
		require.ErrorContains(t, err, "mapper: Change Bid (auctions id=2, cents=4, bidder='Ana'): the function has deleted a range with this row")
		for _, r := range sent.Drain() {
			require.False(t, r.Conditional, "nothing is sent")
		}
		require.Equal(t, []*auction.Bid{bid(2, 4, "Ana")}, collected(t, s.Bid.Of(2).All(ctx)))

		var late auction.BidParts
		_, err = s.Auctions.Upsert(ctx, 3, func(a *anAuction, p *itsParts, exists bool) error {
			require.False(t, exists)
			a.Title, a.Lot, a.Seller = "Vase", "d", "Rui"
			p.Bid.Of().CentsTo(4).Delete()
			_, err := p.Bid.Get(4, "Ana")
			require.ErrorIs(t, err, mapper.ErrNotFound)
			p.Bid.Insert(bid(3, 5, "Ana"))
			late = p.Bid
			return nil
		})
		require.NoError(t, err)
		all, _ := statements(sent)
		require.NotContains(t, all, "DELETE FROM auctions WHERE id = ? AND cents <= ?", "without a root there are no rows")
		late.Of().CentsTo(9).Delete()
		require.Equal(t, []*auction.Bid{bid(3, 5, "Ana")}, collected(t, s.Bid.Of(3).All(ctx)))
	})
}
