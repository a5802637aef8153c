// Package shop is the model of the examples in the documentation of packages load and schema.
package shop

import "github.com/cassaml/cassaml/aml"

type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID       int32     `aml:"id,identifier"`
	Name     string    `aml:"name,required"`
	Vehicles []Vehicle `aml:"vehicles,composition,max=20"`
}

type Vehicle struct {
	aml.ValueObject

	Plate string `aml:",required"`
	Color string
}

// One row for every vehicle of every customer, found by its plate.
type VehicleByPlate struct {
	aml.Aggregate `aml:"vehicles_by_plate,redundant=Customer.Vehicles,distinct"`

	Plate string `aml:"plate,identifier"`
	Owner string `aml:"owner,from=Customer.Name"`
}
