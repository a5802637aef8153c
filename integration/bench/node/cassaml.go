package node

import (
	"context"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
)

// cassaml calls the generated store.
type cassaml struct{ *Client }

func (c cassaml) insert(o *order.Order) measure.Op {
	return func() error { return c.alone.Insert(context.Background(), o) }
}

func (c cassaml) update(o *order.Order) measure.Op {
	old, new := *o, *o
	return func() error {
		new.Total++
		err := c.alone.Change(context.Background(), &old, &new)
		old.Total = new.Total
		return err
	}
}

func (c cassaml) write4(o *order.Order) measure.Op {
	return func() error { return c.store.Orders.Insert(context.Background(), o) }
}

func (c cassaml) get(o *order.Order) measure.Op {
	return func() error {
		_, err := c.alone.Get(context.Background(), o.Customer, o.Placed, o.Number)
		return err
	}
}

func (c cassaml) page(o *order.Order) measure.Op {
	return func() error {
		got := make([]*order.Order, 0, PageRows)
		for o, err := range c.alone.Of(o.Customer).All(context.Background()) {
			if err != nil {
				return err
			}
			got = append(got, o)
		}
		return complete(len(got), PageRows)
	}
}
