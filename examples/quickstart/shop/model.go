// Package shop stores the customers of a workshop with their vehicles, and a redundant table that finds a vehicle by its plate, with its
// owner. It is the model of README.md and docs/start.md.
package shop

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate
//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml diagram -update ../../../docs/start.md

type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID       gocql.UUID `aml:"id,identifier"`
	Name     string     `aml:"name,required"`
	Vehicles []Vehicle  `aml:"vehicles,composition,max=20"` // list<frozen<vehicle>>
}

type Vehicle struct {
	Plate string `aml:",required"`
	Color string
}

// VehicleByPlate has one row for each vehicle of each customer, found by its plate, with its owner.
//
//aml:ignore AML902 one clerk at a time changes a customer
type VehicleByPlate struct {
	aml.Aggregate `aml:"vehicles,redundant=Customer.Vehicles,distinct"`

	Plate string `aml:"plate,identifier"`
	Color string `aml:"color"`
	Owner Owner  `aml:"owner,composition,from=Customer"`
}

type Owner struct {
	ID   gocql.UUID
	Name string
}
