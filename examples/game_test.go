package examples

import (
	"math"
	"sync"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/examples/game/auction/house"
	"github.com/cassaml/cassaml/examples/game/parts/match"
	"github.com/cassaml/cassaml/mapper/memory"
)

// Each round is one request, and the game is deleted with its rounds in one.
func TestPartsOfAGame(t *testing.T) {
	p := run(t, match.Schema, match.Demo)
	p.sent(t, `
		1: write games
		2: write rounds
		2: write rounds
		2: write rounds
		2: write rounds
		2: write rounds
		3: read rounds
		3: write rounds
		4: read games
		4: read games
		4: read rounds
		5: delete rounds
		6: [delete games, delete rounds]
	`)
	require.Contains(t, p.out.String(), "the game has 5 rounds, the last move is Re1")
	p.holds(t, "games", "")
	p.holds(t, "rounds", "")
}

// A bid is saved with the auction in one conditional batch, and the auction is deleted with its bids in one.
func TestAuction(t *testing.T) {
	p := run(t, house.Schema, house.Demo)
	p.sent(t, `
		1: [compare and set auctions, write auctions]
		2: read auctions
		2: [compare and set auctions, compare and set auctions]
		2: read auctions
		2: [compare and set auctions, compare and set auctions]
		3: read auctions
		3: read auctions
		4: read auctions
		4: read auctions
		4: [compare and set auctions, compare and set auctions]
		5: read auctions
		5: read auctions
		6: read auctions
		6: [compare and set auctions, delete auctions]
	`)
	p.says(t, `
		the highest bid is 500
		500 at 11:01
		100 at 09:00
	`)
}

// Of the bids that several clients place at the same time, each saved one is higher than those before it.
func TestBidsRace(t *testing.T) {
	t.Parallel()
	ctx, backend, auction := t.Context(), memory.New(memory.Config{}), gocql.TimeUUID()
	first, err := house.OpenBackend(ctx, backend)
	require.NoError(t, err)
	require.NoError(t, first.Auctions.Insert(ctx, &house.Auction{AuctionID: auction, Title: "a vase", EndsAt: house.TimeOfDay(12, 0)}))
	var saved sync.Map
	var clients sync.WaitGroup
	for client := range int64(4) {
		s, err := house.OpenBackend(ctx, backend)
		require.NoError(t, err)
		clients.Go(func() {
			for n := range int64(20) {
				cents := 10*n + client + 1
				a, err := house.Offer(ctx, s, &house.Bid{AuctionID: auction, Cents: cents, Bidder: gocql.TimeUUID(), PlacedAt: house.TimeOfDay(11, 0)})
				if err == nil {
					saved.Store(cents, a.Version)
				} else {
					assert.ErrorIs(t, err, house.ErrLow)
				}
			}
		})
	}
	clients.Wait()
	later := int64(math.MaxInt64) // the version of the bid above
	for b, err := range first.Bid.Of(auction).All(ctx) {
		require.NoError(t, err)
		version, ok := saved.LoadAndDelete(b.Cents)
		require.True(t, ok, "a bid that was not saved: %d", b.Cents)
		require.Less(t, version.(int64), later)
		later = version.(int64)
	}
	saved.Range(func(cents, _ any) bool { t.Errorf("the bid %v is lost", cents); return true })
}
