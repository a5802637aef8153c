// Package second is the second release of a model of people: the root has a version and a unique value.
package second

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../../codegen/cmd/aml generate

// Person is a versioned root with a unique value.
type Person struct {
	aml.Aggregate `aml:"people"`

	ID      int32   `aml:"id,identifier"`
	Name    string  `aml:"name"`
	City    string  `aml:"city"`
	Email   *string `aml:"email,unique"`
	Version int64   `aml:"version,version"`
}

// PersonByCity finds the people of a city.
type PersonByCity struct {
	aml.Aggregate `aml:"people_by_city,redundant=Person"`

	City string `aml:"city,identifier"`
	ID   int32  `aml:"id,discriminator"`
	Name string `aml:"name"`
}

// PersonByEmail finds a person by the e-mail. Two people can have the same row one after the other.
type PersonByEmail struct {
	aml.Aggregate `aml:"people_by_email,redundant=Person,when=Person.Email"`

	Email string `aml:"email,identifier"`
	ID    int32  `aml:"id"`
	Name  string `aml:"name"`
}
