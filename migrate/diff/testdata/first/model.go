// Package shop is a model before its keys change.
package shop

import "github.com/cassaml/cassaml/aml"

type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID       int32     `aml:"id,identifier"`
	Name     string    `aml:"name,required"`
	Age      string    `aml:"age"`
	Address  Address   `aml:"address,composition"`
	Vehicles []Vehicle `aml:"vehicles,composition,max=3"`
}

type Vehicle struct {
	Plate string
	Color string
	Seats int32
}

type Address struct {
	Street string
}

type VehicleByPlate struct {
	aml.Aggregate `aml:"vehicles,redundant=Customer.Vehicles,distinct"`

	Plate string `aml:",identifier"`
	Color string
}

type Visit struct {
	aml.Aggregate `aml:"visits"`

	Shop  string `aml:"shop,identifier"`
	At    int64  `aml:"at,discriminator"`
	Note  string `aml:"note"`
	Place Place  `aml:"place,identifier,composition,final"`
}

type Place struct {
	Hall int32
}
