package peer

import (
	apache "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/cassaml/cassaml/integration/bench/order"
)

// Apache is an order for Apache's driver only, whose UDTs have cql tags. The driver knows its own type of UUIDs.
type Apache struct {
	Tagged
	Customer apache.UUID
}

// NewApache copies an order.
func NewApache(o *order.Order) *Apache { return &Apache{*NewTagged(o), apache.UUID(o.Customer)} }

// Arguments returns the arguments of the INSERT into one of [order.Tables].
func (v *Apache) Arguments(table int) []any {
	switch table {
	case 1:
		return []any{v.Email, v.Customer, v.Placed, v.Number, v.Name, v.Store, v.Total, v.Discount, v.Paid, v.Signature, v.Address, v.Items}
	case 2:
		return []any{v.Store, v.Placed, v.Customer, v.Number, v.Name, v.Email, v.Total, v.Discount, v.Paid, v.Signature, v.Address, v.Items}
	case 3:
		return []any{v.Number, v.Customer, v.Placed, v.Name, v.Email, v.Store, v.Total, v.Discount, v.Paid, v.Signature, v.Address, v.Items}
	}
	return []any{v.Customer, v.Placed, v.Number, v.Name, v.Email, v.Store, v.Total, v.Discount, v.Paid, v.Signature, v.Address, v.Items}
}

// Scan reads the next row of the root's table.
func (v *Apache) Scan(it *apache.Iter) bool {
	return it.Scan(&v.Customer, &v.Placed, &v.Number, &v.Name, &v.Email, &v.Store, &v.Total, &v.Discount, &v.Paid, &v.Signature, &v.Address, &v.Items)
}

// Order returns a copy as an Order.
func (v *Apache) Order() order.Order {
	o := v.Tagged.Order()
	copy(o.Customer[:], v.Customer[:])
	return o
}
