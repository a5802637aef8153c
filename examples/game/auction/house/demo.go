package house

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/examples/internal/show"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Demo opens an auction, places bids and deletes it.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	a := &Auction{AuctionID: id(1), Title: "a vase", EndsAt: TimeOfDay(12, 0)}
	offer := func(cents int64, bidder byte, minute int) error {
		_, err := Offer(ctx, store, &Bid{AuctionID: a.AuctionID, Cents: cents, Bidder: id(bidder), PlacedAt: TimeOfDay(11, minute)})
		return err
	}
	s.Step("open an auction with a first bid: one conditional batch", func() error {
		return store.Auctions.InsertWith(ctx, a, &Bid{AuctionID: a.AuctionID, Cents: 100, Bidder: id(2), PlacedAt: TimeOfDay(9, 0)})
	})
	s.Step("place two bids: each is saved with the auction, in one conditional batch", func() error {
		return errors.Join(offer(500, 3, 1), offer(700, 2, 2))
	})
	s.Step("a bid that is too low is not saved, and neither is one after the end", func() error {
		return errors.Join(expected(offer(600, 3, 3), ErrLow), expected(offer(900, 3, 60), ErrEnded))
	})
	s.Step("withdraw the highest bid: the function reads the bid before it", func() error {
		_, err := Withdraw(ctx, store, a.AuctionID, id(2), 500)
		return err
	})
	s.Step("read the auction without its bids, then the two highest bids", func() error { return read(ctx, s, store, a.AuctionID) })
	s.Tables(ctx, "auctions")
	s.Step("delete the auction: its bids go with it, in the same conditional batch", func() error { return store.Auctions.Delete(ctx, a.AuctionID) })
	s.Tables(ctx, "auctions")
	return s.Err()
}

// read prints the auction and its two highest bids.
func read(ctx context.Context, s *show.Stage, store *Store, auction gocql.UUID) error {
	a, err := store.Auctions.Get(ctx, auction)
	if err != nil {
		return err
	}
	s.Printf("the highest bid is %d", a.Highest)
	for b, err := range store.BidSummary.Of(auction).Limit(2).All(ctx) {
		if err != nil {
			return err
		}
		s.Printf("%d at %s", b.Cents, b.PlacedAt.Format("15:04"))
	}
	return nil
}

// expected returns nil for the expected error.
func expected(err, want error) error {
	if !errors.Is(err, want) {
		return fmt.Errorf("got %w, not %w", err, want)
	}
	return nil
}

// id returns an identifier that is the same in every run.
func id(last byte) (u gocql.UUID) {
	u[6], u[8], u[15] = 0x40, 0x80, last
	return u
}
