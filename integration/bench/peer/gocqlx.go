package peer

import (
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/scylladb/gocqlx/v2/table"

	"github.com/cassaml/cassaml/integration/bench/order"
)

// Gocqlx is an order as the documentation of gocqlx shows it: db tags, and a UDT that embeds gocqlx.UDT. The items also have
// cql tags, because gocqlx leaves the elements of a list to gocql.
type Gocqlx struct {
	Customer  gocql.UUID    `db:"customer"`
	Placed    time.Time     `db:"placed"`
	Number    int32         `db:"number"`
	Name      string        `db:"name"`
	Email     string        `db:"email"`
	Store     int32         `db:"store"`
	Total     int64         `db:"total"`
	Discount  float64       `db:"discount"`
	Paid      bool          `db:"paid"`
	Signature []byte        `db:"signature"`
	Address   GocqlxAddress `db:"address"`
	Items     []GocqlxItem  `db:"items"`
}

// GocqlxAddress is a UDT for gocqlx.
type GocqlxAddress struct {
	gocqlx.UDT
	Street    string  `db:"street"`
	City      string  `db:"city"`
	Zip       int32   `db:"zip"`
	Latitude  float64 `db:"latitude"`
	Longitude float64 `db:"longitude"`
}

// GocqlxItem is an element of a list.
type GocqlxItem struct {
	gocqlx.UDT
	SKU      string `db:"sku" cql:"sku"`
	Quantity int32  `db:"quantity" cql:"quantity"`
	Price    int64  `db:"price" cql:"price"`
	Note     string `db:"note" cql:"note"`
}

// NewGocqlx copies an order.
func NewGocqlx(o *order.Order) *Gocqlx {
	v := &Gocqlx{Customer: o.Customer, Placed: o.Placed, Number: o.Number, Name: o.Name, Email: o.Email, Store: o.Store, Total: o.Total,
		Discount: o.Discount, Paid: o.Paid, Signature: o.Signature,
		Address: GocqlxAddress{nil, o.Address.Street, o.Address.City, o.Address.Zip, o.Address.Latitude, o.Address.Longitude}}
	for _, i := range o.Items {
		v.Items = append(v.Items, GocqlxItem{nil, i.SKU, i.Quantity, i.Price, i.Note})
	}
	return v
}

// Tables returns [order.Tables] to gocqlx.
func Tables() (all []*table.Table) {
	for _, m := range []table.Metadata{order.OrdersMetadata, order.OrdersByEmailMetadata, order.OrdersByStoreMetadata, order.OrdersByNumberMetadata} {
		all = append(all, table.New(m))
	}
	return all
}

// Order returns a copy as an Order.
func (x *Gocqlx) Order() order.Order {
	o := order.Order{Customer: x.Customer, Placed: x.Placed, Number: x.Number, Name: x.Name, Email: x.Email, Store: x.Store, Total: x.Total,
		Discount: x.Discount, Paid: x.Paid, Signature: x.Signature,
		Address: order.Address{Street: x.Address.Street, City: x.Address.City, Zip: x.Address.Zip, Latitude: x.Address.Latitude, Longitude: x.Address.Longitude}}
	for _, i := range x.Items {
		o.Items = append(o.Items, order.LineItem{SKU: i.SKU, Quantity: i.Quantity, Price: i.Price, Note: i.Note})
	}
	return o
}
