// Package shop is a model whose new tables and columns replace others.
package shop

import "github.com/cassaml/cassaml/aml"

type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID       int32     `aml:"id,identifier"`
	Name     string    `aml:"name,required"`
	Age      int32     `aml:"age_2,was=age"`
	Address  Address   `aml:"address,composition"`
	Vehicles []Vehicle `aml:"vehicles,composition,max=3"`
}

type Vehicle struct {
	Plate string
	Color string
	Seats int32
	Make  string
}

type Address struct {
	Street string
}

type VehicleByPlate struct {
	aml.Aggregate `aml:"vehicles_2,redundant=Customer.Vehicles,distinct,was=vehicles"`

	Color string `aml:",identifier"`
	Plate string `aml:",discriminator"`
}

type Visit struct {
	aml.Aggregate `aml:"visits_2,was=visits"`

	Shop  string `aml:"shop,identifier"`
	Place Place  `aml:"place,identifier,composition,final"`
	At    int64  `aml:"at,discriminator,desc"`
	Note  string `aml:"note,static"`
}

type Place struct {
	aml.ValueObject `aml:"place_2"`

	Hall int32
	Desk int32
}
