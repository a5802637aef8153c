// Package first is the first release of a model of people: a plain root.
package first

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../../codegen/cmd/aml generate

// Person is a plain root.
type Person struct {
	aml.Aggregate `aml:"people"`

	ID    int32   `aml:"id,identifier"`
	Name  string  `aml:"name"`
	City  string  `aml:"city"`
	Email *string `aml:"email"`
}

// PersonByCity finds the people of a city.
//
//aml:ignore AML902 one clerk at a time changes a person
type PersonByCity struct {
	aml.Aggregate `aml:"people_by_city,redundant=Person"`

	City string `aml:"city,identifier"`
	ID   int32  `aml:"id,discriminator"`
	Name string `aml:"name"`
}
