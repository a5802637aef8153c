package backfills

import "github.com/cassaml/cassaml/aml"

type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID   int32  `aml:"id,identifier"`
	Name string `aml:"name"`
}

//aml:ignore AML902 one clerk at a time renames a customer
type CustomerByName struct {
	aml.Aggregate `aml:"customers_by_name,redundant=Customer"`

	Name string `aml:"name,identifier"`
	ID   int32  `aml:"id,discriminator"`
}

func Backfills() {}
