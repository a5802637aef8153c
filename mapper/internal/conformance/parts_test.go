package conformance

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// Conditional batches on the statics and the rows of a partition are applied and refused as a real node does, and leave the same
// rows.
func TestMemorySavesParts(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	storetest.Execute(t, session, auction.Schema)
	pair := NewPair(session.Session, memory.Config{})
	s, err := auction.OpenBackend(t.Context(), pair)
	require.NoError(t, err)
	seed := rand.Uint64()
	x := &partCalls{t: t, s: s, r: rand.New(rand.NewPCG(seed, 0)), outcomes: map[error]int{}}
	for range 250 {
		x.call()
		for id := range int32(2) {
			for _, err := range s.Bid.Of(id).All(t.Context()) {
				require.NoError(t, err)
			}
			if _, err := s.With(mapper.Options{Serial: true}).Auctions.Get(t.Context(), id); !errors.Is(err, mapper.ErrNotFound) {
				require.NoError(t, err)
			}
		}
		require.Empty(t, pair.report.Differences, "seed %d", seed)
	}
	for _, want := range []error{nil, mapper.ErrExists, mapper.ErrNotFound, mapper.ErrConflict} {
		require.Positive(t, x.outcomes[want], "seed %d: %v", seed, want)
	}
	require.Positive(t, x.ordered, "seed %d", seed)
}

// partCalls makes random calls that write auctions and bids.
type partCalls struct {
	t        *testing.T
	s        *auction.Store
	r        *rand.Rand
	known    auction.Auction
	outcomes map[error]int
	ordered  int // calls that write a row of a range that they delete
}

func (x *partCalls) call() {
	id, ctx := int32(x.r.IntN(2)), x.t.Context()
	a := &auction.Auction{ID: id, Title: "Vase", Seller: "Rui"}
	var err error
	switch n := x.r.IntN(20); {
	case n < 4:
		err = x.s.Auctions.InsertWith(ctx, a, x.bid(id, 1), x.bid(id, 2))
	case n < 5:
		err = x.s.Auctions.Put(ctx, a)
	case n < 7:
		err = x.s.Auctions.Delete(ctx, id)
	case n < 9 && x.known.Version > 0:
		changed := x.known
		changed.Count++
		err = x.s.Auctions.Change(ctx, &x.known, &changed)
	case n < 12:
		a, err = x.s.Auctions.Upsert(ctx, id, func(a *auction.Auction, p *auction.AuctionParts, exists bool) error {
			a.Title, a.Seller = "Vase", "Rui"
			for key := range int64(4) {
				x.write(p.Bid, id, key)
			}
			x.deleteRange(p.Bid)
			return nil
		})
	default:
		a, err = x.s.Auctions.Update(ctx, id, func(_ *auction.Auction, p *auction.AuctionParts) error {
			for key := range int64(4) {
				x.write(p.Bid, id, key)
			}
			x.deleteRange(p.Bid)
			return nil
		})
	}
	if err == nil && a != nil && a.Version > 0 && x.r.IntN(2) == 0 {
		x.known = *a
	}
	for _, known := range []error{mapper.ErrExists, mapper.ErrNotFound, mapper.ErrConflict} {
		if errors.Is(err, known) {
			x.outcomes[known]++
			return
		}
	}
	if err != nil && strings.Contains(err.Error(), "a server cannot order the two") {
		x.ordered++
		return
	}
	require.NoError(x.t, err)
	x.outcomes[nil]++
}

// write adds a random write of a bid, or none.
func (x *partCalls) write(p auction.BidParts, id int32, key int64) {
	old := x.bid(id, key)
	if x.r.IntN(3) == 0 {
		if there, err := p.Get(key, "Ana"); err == nil {
			old = there
		}
	}
	switch x.r.IntN(8) {
	case 0:
		p.Insert(x.bid(id, key))
	case 1:
		p.Put(x.bid(id, key))
	case 2:
		p.Change(old, x.bid(id, key))
	case 3:
		p.Delete(key, "Ana")
	}
}

// deleteRange sometimes deletes a range. If the call also writes a row of the range, the mapper refuses it.
func (x *partCalls) deleteRange(p auction.BidParts) {
	switch n := int64(x.r.IntN(4)); x.r.IntN(14) {
	case 0:
		p.Of().CentsFrom(n).CentsTo(n + 1).Delete()
	case 1:
		p.Of().CentsAfter(n).CentsBefore(n + 2).Delete()
	case 2:
		p.Of().CentsBefore(n).Delete()
	case 3:
		p.Of().Cents(n).Delete()
	case 4:
		p.Of().Cents(n).Bidder("Ana").Delete()
	case 5:
		p.Of().Cents(n).BidderFrom("A").BidderBefore("B").Delete()
	}
}

func (x *partCalls) bid(id int32, key int64) *auction.Bid {
	b := &auction.Bid{AuctionID: id, Cents: key, Bidder: "Ana", State: auction.Active}
	if x.r.IntN(2) == 0 {
		b.Note, b.Tags, b.Address = new("n"), []string{"x", "y"}[:1+x.r.IntN(2)], &auction.Address{City: "Recife"}
	}
	if x.r.IntN(2) == 0 {
		b.Marks = map[string]int32{"m": int32(x.r.IntN(3))}
	}
	return b
}
