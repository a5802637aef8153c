package order

import (
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Order is a purchase of a customer, with its address and its items.
type Order struct {
	aml.Aggregate `aml:"orders"`

	Customer gocql.UUID `aml:"customer,identifier"`
	Placed   time.Time  `aml:"placed,discriminator,desc"`
	Number   int32      `aml:"number,discriminator"`

	Name      string     `aml:"name"`
	Email     string     `aml:"email"`
	Store     int32      `aml:"store"`
	Total     int64      `aml:"total"`
	Discount  float64    `aml:"discount"`
	Paid      bool       `aml:"paid"`
	Signature []byte     `aml:"signature"`
	Address   Address    `aml:"address,composition"`
	Items     []LineItem `aml:"items,composition,max=50"`
}

// Address is the destination of an order.
type Address struct {
	aml.ValueObject `aml:"address"`

	Street    string  `aml:"street"`
	City      string  `aml:"city"`
	Zip       int32   `aml:"zip"`
	Latitude  float64 `aml:"latitude"`
	Longitude float64 `aml:"longitude"`
}

// LineItem is one position of an order.
type LineItem struct {
	aml.ValueObject `aml:"line_item"`

	SKU      string `aml:"sku"`
	Quantity int32  `aml:"quantity"`
	Price    int64  `aml:"price"`
	Note     string `aml:"note"`
}

// OrderByEmail finds orders by an email address.
type OrderByEmail struct {
	aml.Aggregate `aml:"orders_by_email,redundant=Order"`

	Email    string     `aml:"email,identifier"`
	Customer gocql.UUID `aml:"customer,discriminator"`
	Placed   time.Time  `aml:"placed,discriminator"`
	Number   int32      `aml:"number,discriminator"`

	Name      string     `aml:"name"`
	Store     int32      `aml:"store"`
	Total     int64      `aml:"total"`
	Discount  float64    `aml:"discount"`
	Paid      bool       `aml:"paid"`
	Signature []byte     `aml:"signature"`
	Address   Address    `aml:"address,composition"`
	Items     []LineItem `aml:"items,composition"`
}

// OrderByStore finds the orders of a store.
type OrderByStore struct {
	aml.Aggregate `aml:"orders_by_store,redundant=Order"`

	Store    int32      `aml:"store,identifier"`
	Placed   time.Time  `aml:"placed,discriminator,desc"`
	Customer gocql.UUID `aml:"customer,discriminator"`
	Number   int32      `aml:"number,discriminator"`

	Name      string     `aml:"name"`
	Email     string     `aml:"email"`
	Total     int64      `aml:"total"`
	Discount  float64    `aml:"discount"`
	Paid      bool       `aml:"paid"`
	Signature []byte     `aml:"signature"`
	Address   Address    `aml:"address,composition"`
	Items     []LineItem `aml:"items,composition"`
}

// OrderByNumber finds an order by its number.
type OrderByNumber struct {
	aml.Aggregate `aml:"orders_by_number,redundant=Order"`

	Number   int32      `aml:"number,identifier"`
	Customer gocql.UUID `aml:"customer,discriminator"`
	Placed   time.Time  `aml:"placed,discriminator"`

	Name      string     `aml:"name"`
	Email     string     `aml:"email"`
	Store     int32      `aml:"store"`
	Total     int64      `aml:"total"`
	Discount  float64    `aml:"discount"`
	Paid      bool       `aml:"paid"`
	Signature []byte     `aml:"signature"`
	Address   Address    `aml:"address,composition"`
	Items     []LineItem `aml:"items,composition"`
}

// Shipment is the load of a vehicle. It has a row of a copy for each of its parcels.
type Shipment struct {
	aml.Aggregate `aml:"shipments"`

	ID      gocql.UUID `aml:"id,identifier"`
	Carrier string     `aml:"carrier"`
	Sent    time.Time  `aml:"sent"`
	Note    string     `aml:"note"`
	Parcels []Parcel   `aml:"parcels,composition,max=50"`
}

// Parcel is one piece of a shipment.
type Parcel struct {
	aml.ValueObject `aml:"parcel"`

	Code     string `aml:"code"`
	Receiver string `aml:"receiver"`
	Street   string `aml:"street"`
	City     string `aml:"city"`
	Zip      int32  `aml:"zip"`
	Weight   int32  `aml:"weight"`
}

// ParcelByCode finds a parcel, with the data of its shipment.
//
//aml:ignore AML902 a shipment has one writer
type ParcelByCode struct {
	aml.Aggregate `aml:"parcels_by_code,redundant=Shipment.Parcels,distinct"`

	Code     string     `aml:"code,identifier"`
	Shipment gocql.UUID `aml:"shipment,from=Shipment.ID"`
	Carrier  string     `aml:"carrier,from=Shipment.Carrier"`
	Sent     time.Time  `aml:"sent,from=Shipment.Sent"`
	Receiver string     `aml:"receiver"`
	Street   string     `aml:"street"`
	City     string     `aml:"city"`
	Zip      int32      `aml:"zip"`
	Weight   int32      `aml:"weight"`
}
