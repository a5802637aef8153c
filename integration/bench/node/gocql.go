package node

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/integration/bench/peer"
)

// The handwritten statements.
const (
	allColumns = "customer, placed, number, name, email, store, total, discount, paid, signature, address, items"
	updateCQL  = "UPDATE orders SET total = ? WHERE customer = ? AND placed = ? AND number = ?"
	getCQL     = "SELECT " + allColumns + " FROM orders WHERE customer = ? AND placed = ? AND number = ?"
	pageCQL    = "SELECT " + allColumns + " FROM orders WHERE customer = ?"
	values     = ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

// insertCQL has a statement for each of [order.Tables].
var insertCQL = [...]string{
	"INSERT INTO orders (" + allColumns + values,
	"INSERT INTO orders_by_email (email, customer, placed, number, name, store, total, discount, paid, signature, address, items" + values,
	"INSERT INTO orders_by_store (store, placed, customer, number, name, email, total, discount, paid, signature, address, items" + values,
	"INSERT INTO orders_by_number (number, customer, placed, name, email, store, total, discount, paid, signature, address, items" + values,
}

// exec sends a statement.
func (c *Client) exec(statement string, args ...any) error {
	q := c.session.Session.Query(statement, args...)
	defer q.Release()
	return q.Exec()
}

// byHand is gocql with handwritten statements, arguments and destinations.
type byHand struct{ *Client }

func (g byHand) insert(o *order.Order) measure.Op {
	v := peer.NewTagged(o)
	return func() error { return g.exec(insertCQL[0], v.Arguments(0)...) }
}

func (g byHand) update(o *order.Order) measure.Op {
	v := peer.NewTagged(o)
	return func() error {
		v.Total++
		return g.exec(updateCQL, v.Total, v.Customer, v.Placed, v.Number)
	}
}

func (g byHand) write4(o *order.Order) measure.Op {
	v := peer.NewTagged(o)
	return func() error {
		b := g.session.NewBatch(gocql.LoggedBatch)
		for i, statement := range insertCQL {
			b.Query(statement, v.Arguments(i)...)
		}
		return g.session.ExecuteBatch(b)
	}
}

func (g byHand) get(o *order.Order) measure.Op {
	return func() error {
		q := g.session.Session.Query(getCQL, o.Customer, o.Placed, o.Number)
		defer q.Release()
		it := q.Iter()
		var v peer.Tagged
		if !v.Scan(it) {
			return missing(it)
		}
		return it.Close()
	}
}

// missing returns the reason why there is no row.
func missing(it *gocql.Iter) error {
	if err := it.Close(); err != nil {
		return err
	}
	return gocql.ErrNotFound
}

func (g byHand) page(o *order.Order) measure.Op {
	return func() error {
		q := g.session.Session.Query(pageCQL, o.Customer)
		defer q.Release()
		it := q.Iter()
		got := make([]peer.Tagged, it.NumRows())
		for i := range got {
			if !got[i].Scan(it) {
				break
			}
		}
		if err := it.Close(); err != nil {
			return err
		}
		return complete(len(got), PageRows)
	}
}
