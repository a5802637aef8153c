package recipes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
)

// ErrSold is returned by Sell if the seat has another buyer.
var ErrSold = errors.New("the seat is sold")

// Sell sells a seat once. It can be repeated, also after an error: the buyer of the first call keeps the seat.
func Sell(ctx context.Context, s *Store, event gocql.UUID, seat string, buyer gocql.UUID) error {
	sold, err := s.Tickets.InsertOrGet(ctx, &Ticket{Event: event, Seat: seat, Buyer: buyer})
	if err != nil {
		return err
	}
	if sold != nil && sold.Buyer != buyer {
		return ErrSold
	}
	return nil
}

// Return makes a seat free again, if it is still the buyer's.
func Return(ctx context.Context, s *Store, event gocql.UUID, seat string, buyer gocql.UUID) error {
	t, err := s.Tickets.Get(ctx, event, seat)
	switch {
	case errors.Is(err, mapper.ErrNotFound):
		return nil
	case err != nil:
		return err
	case t.Buyer != buyer:
		return ErrSold
	}
	return s.Tickets.DeleteAt(ctx, event, seat, t.Version)
}

func seats(ctx context.Context, s *Store, out io.Writer) error {
	event := number(1)
	var wg sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		wg.Go(func() { errs[i] = Sell(ctx, s, event, "A1", number(byte(i))) })
	}
	wg.Wait()
	sold := 0
	var winner gocql.UUID
	for i, err := range errs {
		switch {
		case err == nil:
			sold, winner = sold+1, number(byte(i))
		case !errors.Is(err, ErrSold):
			return err
		}
	}
	fmt.Fprintln(out, "20 buyers, sold to:", sold)
	if err := Sell(ctx, s, event, "A1", winner); err != nil {
		return err
	}
	if err := Return(ctx, s, event, "A1", winner); err != nil {
		return err
	}
	fmt.Fprintln(out, "after it was given back:", Sell(ctx, s, event, "A1", number(100)))
	return nil
}
