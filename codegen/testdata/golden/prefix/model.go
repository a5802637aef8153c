// Package prefix declares itself what a generated file declares.
package prefix

import "github.com/cassaml/cassaml/aml"

// Customer is found by its number.
type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID   int32             `aml:"id,identifier"`
	Year int32             `aml:"year,discriminator"`
	Name string            `aml:"name,index"`
	Home Home              `aml:"home,composition"`
	Past map[string][]Home `aml:"past,composition"`
}

// Address is a view of a customer.
type Address struct {
	aml.Aggregate `aml:",of=Customer"`

	Home Home `aml:",composition"`
}

// Home is a value object.
type Home struct {
	City string `aml:"city,required"`
}

// Store is the package's own, and so are the others.
type Store struct{}

// Open is not the store's.
func Open() {}

type (
	CustomersTable struct{}
	CustomersQuery struct{}
	AddressTable   struct{}
)

// The name of a package that the file imports.
const fmt = 1

var newStore, encodeHome, customersInsert, storeSchema int
