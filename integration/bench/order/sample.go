package order

import (
	"bytes"
	_ "embed"
	"fmt"
	"time"

	"github.com/gocql/gocql"
)

// Sample returns an order with a value in every column and five items: 12 columns, about 500 bytes of values.
func Sample() *Order {
	o := &Order{
		Customer:  gocql.UUID{0x6f, 0x1c, 0x2c, 0x52, 0x64, 0xd1, 0x41, 0xf0, 0x9d, 0x0b, 0x02, 0x42, 0xac, 0x12, 0x00, 0x02},
		Placed:    time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC),
		Number:    1207,
		Name:      "Maria da Silva e Souza",
		Email:     "maria.souza@example.com",
		Store:     36,
		Total:     123456789,
		Discount:  4.25,
		Paid:      true,
		Signature: bytes.Repeat([]byte{0xa1, 0x07, 0x5c, 0xee}, 16),
		Address:   Address{Street: "Rua da Aurora, 1241, apto 302", City: "Recife", Zip: 50040, Latitude: -8.05, Longitude: -34.88},
	}
	for i := range int32(5) {
		o.Items = append(o.Items, LineItem{SKU: "SKU-000123", Quantity: i + 1, Price: 1999, Note: "gift wrapped"})
	}
	return o
}

// Rows is the number of rows of the copy of a [Wide] shipment.
const Rows = 20

// Wide returns a shipment of that number of parcels: about 3 KiB of values in all rows.
func Wide() *Shipment {
	s := &Shipment{
		ID:      gocql.UUID{0x6f, 0x1c, 0x2c, 0x52, 0x64, 0xd1, 0x41, 0xf0, 0x9d, 0x0b, 0x02, 0x42, 0xac, 0x12, 0x00, 0x02},
		Carrier: "Correios do Nordeste", Sent: time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC), Note: "before noon",
	}
	for i := range Rows {
		s.Parcels = append(s.Parcels, Parcel{Code: fmt.Sprintf("BR-%09d", i), Receiver: "Maria da Silva e Souza", Street: "Rua da Aurora, 1241, apto 302",
			City: "Recife", Zip: 50040, Weight: int32(100 + i)})
	}
	return s
}

// Schema is the CQL of the types and tables.
//
//go:embed schema.cql
var Schema string
