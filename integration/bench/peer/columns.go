package peer

import (
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/order"
)

// Columns are the columns of an order that are the same for both ways to write UDTs by hand.
type Columns struct {
	Customer  gocql.UUID
	Placed    time.Time
	Number    int32
	Name      string
	Email     string
	Store     int32
	Total     int64
	Discount  float64
	Paid      bool
	Signature []byte
}

func newColumns(o *order.Order) Columns {
	return Columns{o.Customer, o.Placed, o.Number, o.Name, o.Email, o.Store, o.Total, o.Discount, o.Paid, o.Signature}
}

// arguments are the arguments of the four INSERTs, written out for each statement.
func (c *Columns) arguments(table int, address, items any) []any {
	switch table {
	case 1:
		return []any{c.Email, c.Customer, c.Placed, c.Number, c.Name, c.Store, c.Total, c.Discount, c.Paid, c.Signature, address, items}
	case 2:
		return []any{c.Store, c.Placed, c.Customer, c.Number, c.Name, c.Email, c.Total, c.Discount, c.Paid, c.Signature, address, items}
	case 3:
		return []any{c.Number, c.Customer, c.Placed, c.Name, c.Email, c.Store, c.Total, c.Discount, c.Paid, c.Signature, address, items}
	}
	return []any{c.Customer, c.Placed, c.Number, c.Name, c.Email, c.Store, c.Total, c.Discount, c.Paid, c.Signature, address, items}
}

// scan reads the next row, with destinations that are written out.
func (c *Columns) scan(it *gocql.Iter, address, items any) bool {
	return it.Scan(&c.Customer, &c.Placed, &c.Number, &c.Name, &c.Email, &c.Store, &c.Total, &c.Discount, &c.Paid, &c.Signature, address, items)
}

func (c *Columns) order(a order.Address, items []order.LineItem) order.Order {
	return order.Order{Customer: c.Customer, Placed: c.Placed, Number: c.Number, Name: c.Name, Email: c.Email, Store: c.Store, Total: c.Total,
		Discount: c.Discount, Paid: c.Paid, Signature: c.Signature, Address: a, Items: items}
}
