package node

import (
	"context"
	"iter"

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

func (c cassaml) first(o *order.Order) measure.Op {
	return func() error {
		_, err := c.alone.Of(o.Customer).First(context.Background())
		return err
	}
}

func (c cassaml) many(o *order.Order) measure.Op {
	keys := make([]order.OrdersKey, PageRows)
	for i := range keys {
		keys[i] = order.OrdersKey{Customer: o.Customer, Placed: o.Placed, Number: int32(i)}
	}
	return func() error {
		got, err := c.alone.GetMany(context.Background(), keys)
		if err != nil {
			return err
		}
		return complete(len(got), PageRows)
	}
}

// gets is cassaml, and reads the rows of many with one Get after the other.
type gets struct{ cassaml }

func (g gets) many(o *order.Order) measure.Op {
	return func() error {
		got := make([]*order.Order, 0, PageRows)
		for i := range int32(PageRows) {
			row, err := g.alone.Get(context.Background(), o.Customer, o.Placed, i)
			if err != nil {
				return err
			}
			got = append(got, row)
		}
		return complete(len(got), PageRows)
	}
}

func (c cassaml) merge(*order.Order) measure.Op {
	return merged(c.store.OrdersByStore.OfEach(mergedStores()).Limit(mergedRows).All)
}

// together reads the rows of merge with one request for all partitions.
type together struct{ cassaml }

func (t together) merge(*order.Order) measure.Op {
	return merged(t.store.OrdersByStore.OfEach(mergedStores()).Limit(mergedRows).Together().All)
}

// merged reads the rows of a query.
func merged(all func(context.Context) iter.Seq2[*order.OrderByStore, error]) measure.Op {
	return func() error {
		got := make([]*order.OrderByStore, 0, mergedRows)
		for o, err := range all(context.Background()) {
			if err != nil {
				return err
			}
			got = append(got, o)
		}
		return complete(len(got), mergedRows)
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
