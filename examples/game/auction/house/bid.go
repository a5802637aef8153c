package house

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocql/gocql"
)

// The errors of a bid that is refused.
var (
	ErrLow   = errors.New("there is a bid as high")
	ErrEnded = errors.New("the auction has ended")
)

// Offer places a bid, which becomes the highest bid of the auction. It is saved only if the auction has not changed since the
// rules were checked; otherwise they are checked again.
func Offer(ctx context.Context, s *Store, b *Bid) (*Auction, error) {
	return s.Auctions.Update(ctx, b.AuctionID, func(a *Auction, p *AuctionParts) error {
		switch {
		case !b.PlacedAt.Before(a.EndsAt):
			return ErrEnded
		case b.Cents <= a.Highest:
			return fmt.Errorf("%w: %d", ErrLow, a.Highest)
		}
		a.Highest, a.Winner = b.Cents, &b.Bidder
		p.Bid.Insert(b)
		return nil
	})
}

// Withdraw deletes the highest bid of an auction if it is from this bidder. The next lower bid, of before cents, becomes the
// highest.
func Withdraw(ctx context.Context, s *Store, auction, bidder gocql.UUID, before int64) (*Auction, error) {
	return s.Auctions.Update(ctx, auction, func(a *Auction, p *AuctionParts) error {
		if a.Winner == nil || *a.Winner != bidder {
			return fmt.Errorf("the highest bid is not of %s", bidder)
		}
		next, err := p.Bid.Get(before)
		if err != nil {
			return err
		}
		p.Bid.Delete(a.Highest)
		a.Highest, a.Winner = next.Cents, &next.Bidder
		return nil
	})
}

// TimeOfDay returns a time on the day of the demonstration.
func TimeOfDay(hour, minute int) time.Time {
	return time.Date(2026, 3, 1, hour, minute, 0, 0, time.UTC)
}
