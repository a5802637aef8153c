// Package prefix declares names of a generated file itself.
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

// Store is declared by the package, like the following names.
type Store struct{}

// Open is not the function of the store.
func Open() {}

type (
	CustomersTable struct{}
	CustomersQuery struct{}
	AddressTable   struct{}
)

// The name of a package that the generated file imports.
const fmt = 1

var newStore, encodeHome, customersInsert, storeSchema int
