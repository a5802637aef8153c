package shop

import "github.com/cassaml/cassaml/aml"

// Customer is a customer.
type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID   int32  `aml:"id,identifier"`
	Name string `aml:"name,required"`
}

// CustomerByName has the customers by their names.
type CustomerByName struct {
	aml.Aggregate `aml:"customers_by_name,redundant=Customer"`

	Name string `aml:"name,identifier"`
	ID   int32  `aml:"id,discriminator"`
}
