// Package garage is the model of a garage: customers, which have versions, and mechanics, which have none. Simulations of
// random schedules run on its stores.
package garage

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Customer is a versioned root with a unique value and a unique group of values.
type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID       int32    `aml:"id,identifier"`
	Name     string   `aml:"name"`
	City     *string  `aml:"city"`
	Email    *string  `aml:"email,unique"`
	Country  *string  `aml:"country,unique=licence"`
	Licence  *string  `aml:"licence,unique=licence"`
	Vehicles []string `aml:"vehicles,unique,max=5"`
	Version  int64    `aml:"version,version"`
}

// Vehicle finds the customers of a vehicle.
type Vehicle struct {
	aml.Aggregate `aml:"vehicles,redundant=Customer.Vehicles"`

	Plate string  `aml:"plate,identifier,from=Customer.Vehicles.$value"`
	Owner int32   `aml:"owner,discriminator,from=Customer.ID"`
	Name  string  `aml:"name,from=Customer.Name"`
	City  *string `aml:"city,from=Customer.City"`
}

// CustomerByCity finds the customers of a city.
type CustomerByCity struct {
	aml.Aggregate `aml:"customers_by_city,redundant=Customer,when=Customer.City"`

	City string `aml:"city,identifier"`
	ID   int32  `aml:"id,discriminator"`
	Name string `aml:"name"`
}

// CustomerByEmail finds a customer by the e-mail. Two customers can have the same row one after the other.
type CustomerByEmail struct {
	aml.Aggregate `aml:"customers_by_email,redundant=Customer,when=Customer.Email"`

	Email string `aml:"email,identifier"`
	ID    int32  `aml:"id"`
	Name  string `aml:"name"`
}

// CustomerCard is in the partition of the customer.
type CustomerCard struct {
	aml.Aggregate `aml:"customer_cards,redundant=Customer"`

	ID   int32  `aml:"id,identifier"`
	Name string `aml:"name"`
}

// Mechanic is a plain root.
type Mechanic struct {
	aml.Aggregate `aml:"mechanics"`

	ID     int32    `aml:"id,identifier"`
	Name   string   `aml:"name"`
	City   string   `aml:"city"`
	OnDuty bool     `aml:"on_duty"`
	Skills []string `aml:"skills,unique,max=5"`
	Tools  []string `aml:"tools,unique,max=5"`
}

// MechanicBySkill finds the mechanics that have a skill.
//
//aml:ignore AML902 one clerk at a time changes a mechanic
type MechanicBySkill struct {
	aml.Aggregate `aml:"mechanics_by_skill,redundant=Mechanic.Skills"`

	Skill string `aml:"skill,identifier,from=Mechanic.Skills.$value"`
	ID    int32  `aml:"id,discriminator,from=Mechanic.ID"`
	Name  string `aml:"name,from=Mechanic.Name"`
	City  string `aml:"city,from=Mechanic.City"`
}

// MechanicByCity finds the mechanics of a city.
//
//aml:ignore AML902 one clerk at a time changes a mechanic
type MechanicByCity struct {
	aml.Aggregate `aml:"mechanics_by_city,redundant=Mechanic"`

	City string `aml:"city,identifier"`
	ID   int32  `aml:"id,discriminator"`
	Name string `aml:"name"`
}

// MechanicOnDuty is a mechanic while on duty.
//
//aml:ignore AML902 one clerk at a time changes a mechanic
type MechanicOnDuty struct {
	aml.Aggregate `aml:"mechanics_on_duty,redundant=Mechanic,when=Mechanic.OnDuty"`

	ID   int32  `aml:"id,identifier"`
	Name string `aml:"name"`
	City string `aml:"city"`
}

// Tool is a tool, which belongs to one mechanic.
//
//aml:ignore AML902 one clerk at a time changes a mechanic
type Tool struct {
	aml.Aggregate `aml:"tools,redundant=Mechanic.Tools,distinct"`

	Tool  string `aml:"tool,identifier,from=Mechanic.Tools.$value"`
	Owner int32  `aml:"owner,from=Mechanic.ID"`
	Name  string `aml:"name,from=Mechanic.Name"`
}
