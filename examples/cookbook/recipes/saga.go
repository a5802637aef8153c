package recipes

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
)

// ErrSoldOut is the reason why an order is cancelled.
var ErrSoldOut = errors.New("sold out")

// Pay takes the money for an order. It must be safe to call it again with the same order: payment services take such a key.
type Pay func(ctx context.Context, order gocql.UUID) error

// PlaceOrder begins an order. From this save on, Finish can end it, whatever happens to this process.
func PlaceOrder(ctx context.Context, s *Store, o *Order, pay Pay) error {
	o.State = Placed
	if err := s.Orders.Insert(ctx, o); err != nil {
		return err
	}
	return Finish(ctx, s, o.ID, pay)
}

// Finish continues an order from the step that it has reached. Each step can be repeated, so several processes can finish one order at the same time.
func Finish(ctx context.Context, s *Store, id gocql.UUID, pay Pay) error {
	o, err := s.Orders.Get(ctx, id)
	if err != nil || o.State != Placed {
		return err
	}
	granted, err := reserve(ctx, s, o)
	switch {
	case err != nil:
		return err
	case !granted:
		return errors.Join(ErrSoldOut, end(ctx, s, id, Cancelled))
	}
	if err := pay(ctx, id); err != nil {
		return err // the order stays open, and Finish tries again
	}
	return end(ctx, s, id, Paid)
}

// reserve asks the stock for the quantity of an order. The stock remembers its answer in the same save.
func reserve(ctx context.Context, s *Store, o *Order) (granted bool, err error) {
	_, err = s.Stocks.Update(ctx, o.Product, func(st *Stock, p *StockParts) error {
		r, err := p.Reservation.Get(o.ID)
		switch {
		case err == nil:
			granted = r.Granted
			return nil
		case !errors.Is(err, mapper.ErrNotFound):
			return err
		}
		if granted = st.Left >= o.Quantity; granted {
			st.Left -= o.Quantity
		}
		p.Reservation.Insert(&Reservation{Product: o.Product, Order: o.ID, Granted: granted})
		return nil
	})
	return granted, err
}

// end ends an order. It does nothing if another process has ended it.
func end(ctx context.Context, s *Store, id gocql.UUID, state OrderState) error {
	_, err := s.Orders.Update(ctx, id, func(o *Order) error {
		if o.State == Placed {
			o.State = state
		}
		return nil
	})
	return err
}

// FinishAll finishes the orders of a shop that have not ended. A job runs it every minute.
func FinishAll(ctx context.Context, s *Store, shop string, pay Pay) error {
	var failed error
	for open, err := range s.OpenOrders.Of(shop).All(ctx) {
		if err != nil {
			return err
		}
		if err := Finish(ctx, s, open.ID, pay); err != nil && !errors.Is(err, ErrSoldOut) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

func saga(ctx context.Context, s *Store, out io.Writer) error {
	shirt := number(9)
	if err := s.Stocks.Insert(ctx, &Stock{Product: shirt, Left: 3}); err != nil {
		return err
	}
	paid := map[gocql.UUID]bool{}
	pay := func(_ context.Context, order gocql.UUID) error {
		paid[order] = true
		return nil
	}
	died := errors.New("the process died")
	die := func(context.Context, gocql.UUID) error { return died }
	order := func(n byte, quantity int32) *Order {
		return &Order{ID: number(n), Shop: "north", Product: shirt, Quantity: quantity}
	}
	if err := PlaceOrder(ctx, s, order(1, 2), die); !errors.Is(err, died) {
		return err
	}
	fmt.Fprintln(out, "a second order of 2:", PlaceOrder(ctx, s, order(2, 2), pay))
	if err := FinishAll(ctx, s, "north", pay); err != nil {
		return err
	}
	st, err := s.Stocks.Get(ctx, shirt)
	if err != nil {
		return err
	}
	o, err := s.Orders.Get(ctx, number(1))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the first order: %s, %d left, payments: %d\n", o.State, st.Left, len(paid))
	_, err = s.OpenOrders.Of("north").First(ctx)
	fmt.Fprintln(out, "no order is open:", errors.Is(err, mapper.ErrNotFound))
	return nil
}
