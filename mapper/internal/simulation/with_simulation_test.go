package simulation

import (
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// savedAuction identifies a save: two auctions can have the same version.
type savedAuction struct {
	id      int32
	version int64
}

// savedBids are the notes of the bids that each save left.
type savedBids map[savedAuction]map[int64]string

// TestGetWithSchedules has clients that read an auction with all its bids, in pages of one to three rows, beside clients that write both.
// What a read returns is what one save left.
func TestGetWithSchedules(t *testing.T) {
	simulate(t, 1, func(w *world) {
		w.pages = true
		b := newBidWorld(w, false)
		left := savedBids{}
		w.applied = func(a *plan.Aggregate, before, after *plan.State) {
			if b.check(a, before, after); after.Exists() {
				id := after.Row[0][3]
				left[savedAuction{int32(id), after.Version}] = maps.Clone(b.bids[id])
			}
		}
		for range 1 + w.rng.IntN(2) {
			c := &bidClient{client: w.client(), w: b}
			c.store = b.open(c.client)
			w.start(c.client, c.call)
		}
		for range 2 {
			c := &bidClient{client: w.client(), w: b}
			c.store = b.open(c.client)
			w.start(c.client, func(x *invocation) {
				for range 3 {
					c.read(x, left)
				}
			})
		}
		w.run()
	})
}

// read reads an auction with its bids, and compares them with what saves left.
func (c *bidClient) read(x *invocation, left savedBids) {
	x.id, x.op = int32(c.w.rng.IntN(auctionIDs)), "GetWithBid"
	s := c.store
	if c.w.chance(50) {
		s = s.With(mapper.Options{Serial: true})
	}
	a, bids, err := s.GetWithBid(context.Background(), x.id)
	if x.err = err; err != nil {
		if !c.dead && !readTimedOut(err) && !errors.Is(err, mapper.ErrNotFound) && !errors.Is(err, mapper.ErrConflict) {
			c.w.failf("%s: %v", x.label, err)
		}
		return
	}
	got := map[int64]string{}
	for _, b := range bids {
		got[b.Cents] = *b.Note
	}
	if want, saved := left[savedAuction{x.id, a.Version}]; !saved || !maps.Equal(got, want) {
		c.w.failf("%s has read the bids %v with version %d, which left %v", x.label, got, a.Version, want)
	}
}
