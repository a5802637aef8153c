package shop

import (
	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

// Customer is a root with a redundant table.
type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID    gocql.UUID `aml:"id,identifier"`
	Name  string     `aml:"name,required,index"`
	Email string     `aml:"email,required"`
	Plate string     `aml:"plate,required,final"`
}

// CustomerByPlate is a redundant aggregate.
type CustomerByPlate struct {
	aml.Aggregate `aml:"customers_by_plate,redundant=Customer"`

	Plate string     `aml:"plate,identifier"`
	ID    gocql.UUID `aml:"id,discriminator"`
	Name  string     `aml:"name"`
}

// Name is remembered by a store.
type Name struct {
	aml.Aggregate `aml:"names,redundant=Customer,shared,cache=1h"`

	Name string `aml:"name,identifier"`
}

// Account is versioned, and its user is unique.
type Account struct {
	aml.Aggregate `aml:"accounts"`

	ID      int64  `aml:"id,identifier"`
	User    string `aml:"user,required,unique"`
	Version int64  `aml:"version,version"`
}

// Reading is a row of a partition.
type Reading struct {
	aml.Aggregate `aml:"readings"`

	Site   string          `aml:"site,identifier"`
	Year   int32           `aml:"year,identifier"`
	Sensor int64           `aml:"sensor,discriminator"`
	At     int64           `aml:"at,discriminator,desc"`
	Value  float64         `aml:"value"`
	Tags   map[string]bool `aml:"tags,max=10"`
}
