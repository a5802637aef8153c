package peer

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/order"
)

// Tagged is an order for gocql only, whose UDTs have cql tags.
type Tagged struct {
	Columns
	Address TaggedAddress
	Items   []TaggedItem
}

// TaggedAddress is a UDT with cql tags.
type TaggedAddress struct {
	Street    string  `cql:"street"`
	City      string  `cql:"city"`
	Zip       int32   `cql:"zip"`
	Latitude  float64 `cql:"latitude"`
	Longitude float64 `cql:"longitude"`
}

// TaggedItem is a UDT with cql tags.
type TaggedItem struct {
	SKU      string `cql:"sku"`
	Quantity int32  `cql:"quantity"`
	Price    int64  `cql:"price"`
	Note     string `cql:"note"`
}

// NewTagged copies an order.
func NewTagged(o *order.Order) *Tagged {
	v := &Tagged{Columns: newColumns(o)}
	v.Address = TaggedAddress{o.Address.Street, o.Address.City, o.Address.Zip, o.Address.Latitude, o.Address.Longitude}
	for _, i := range o.Items {
		v.Items = append(v.Items, TaggedItem{i.SKU, i.Quantity, i.Price, i.Note})
	}
	return v
}

// Arguments returns the arguments of the INSERT into one of [order.Tables].
func (v *Tagged) Arguments(table int) []any { return v.arguments(table, v.Address, v.Items) }

// Scan reads the next row of the root's table.
func (v *Tagged) Scan(it *gocql.Iter) bool { return v.scan(it, &v.Address, &v.Items) }

// Order returns a copy as an Order.
func (v *Tagged) Order() order.Order {
	var items []order.LineItem
	for _, i := range v.Items {
		items = append(items, order.LineItem{SKU: i.SKU, Quantity: i.Quantity, Price: i.Price, Note: i.Note})
	}
	a := v.Address
	return v.order(order.Address{Street: a.Street, City: a.City, Zip: a.Zip, Latitude: a.Latitude, Longitude: a.Longitude}, items)
}
