package account

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Account is saved with its two copies.
type Account struct {
	aml.Aggregate `aml:"accounts"`

	ID        gocql.UUID `aml:"id,identifier"`
	Name      string     `aml:"name"`
	Email     string     `aml:"email"`
	Store     int32      `aml:"store"`
	Total     int64      `aml:"total"`
	Discount  float64    `aml:"discount"`
	Paid      bool       `aml:"paid"`
	Signature []byte     `aml:"signature"`
	Address   Address    `aml:"address,composition"`
	Items     []Item     `aml:"items,composition,max=50"`
	Version   int64      `aml:"version,version"`
}

// Address is the address of an account.
type Address struct {
	aml.ValueObject `aml:"account_address"`

	Street    string  `aml:"street"`
	City      string  `aml:"city"`
	Zip       int32   `aml:"zip"`
	Latitude  float64 `aml:"latitude"`
	Longitude float64 `aml:"longitude"`
}

// Item is a subscription of an account.
type Item struct {
	aml.ValueObject `aml:"account_item"`

	SKU      string `aml:"sku"`
	Quantity int32  `aml:"quantity"`
	Price    int64  `aml:"price"`
	Note     string `aml:"note"`
}

// AccountByEmail finds accounts by an email address.
type AccountByEmail struct {
	aml.Aggregate `aml:"accounts_by_email,redundant=Account"`

	Email   string     `aml:"email,identifier"`
	ID      gocql.UUID `aml:"id,discriminator"`
	Name    string     `aml:"name"`
	Total   int64      `aml:"total"`
	Address Address    `aml:"address,composition"`
	Items   []Item     `aml:"items,composition"`
}

// AccountByStore finds the accounts of a store.
type AccountByStore struct {
	aml.Aggregate `aml:"accounts_by_store,redundant=Account"`

	Store   int32      `aml:"store,identifier"`
	ID      gocql.UUID `aml:"id,discriminator"`
	Name    string     `aml:"name"`
	Total   int64      `aml:"total"`
	Address Address    `aml:"address,composition"`
	Items   []Item     `aml:"items,composition"`
}

// Member has an email that no other member has, and no copies.
type Member struct {
	aml.Aggregate `aml:"members"`

	ID        gocql.UUID `aml:"id,identifier"`
	Name      string     `aml:"name"`
	Email     string     `aml:"email,unique"`
	Store     int32      `aml:"store"`
	Total     int64      `aml:"total"`
	Discount  float64    `aml:"discount"`
	Paid      bool       `aml:"paid"`
	Signature []byte     `aml:"signature"`
	Address   Address    `aml:"address,composition"`
	Items     []Item     `aml:"items,composition,max=50"`
	Version   int64      `aml:"version,version"`
}
