package account

import (
	"bytes"
	_ "embed"

	"github.com/gocql/gocql"
)

// Schema is the CQL of the types and tables.
//
//go:embed schema.cql
var Schema string

// Sample returns an account with a value in every column and five items: about 500 bytes of values.
func Sample() *Account {
	a := &Account{
		ID:        gocql.UUID{0x6f, 0x1c, 0x2c, 0x52, 0x64, 0xd1, 0x41, 0xf0, 0x9d, 0x0b, 0x02, 0x42, 0xac, 0x12, 0x00, 0x02},
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
		a.Items = append(a.Items, Item{SKU: "SKU-000123", Quantity: i + 1, Price: 1999, Note: "gift wrapped"})
	}
	return a
}

// SampleMember returns a member with the values of [Sample].
func SampleMember() *Member {
	a := Sample()
	return &Member{ID: a.ID, Name: a.Name, Email: a.Email, Store: a.Store, Total: a.Total, Discount: a.Discount, Paid: a.Paid, Signature: a.Signature,
		Address: a.Address, Items: a.Items}
}
