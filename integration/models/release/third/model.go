// Package third is the third release of a model of people: it has one more column and one more redundant table.
package third

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../../codegen/cmd/aml generate

// Person is a versioned root with a unique value.
type Person struct {
	aml.Aggregate `aml:"people"`

	ID      int32   `aml:"id,identifier"`
	Name    string  `aml:"name"`
	City    string  `aml:"city"`
	Email   *string `aml:"email,unique"`
	Phone   *string `aml:"phone"`
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

// PersonByPhone finds the people who have a telephone number.
type PersonByPhone struct {
	aml.Aggregate `aml:"people_by_phone,redundant=Person,when=Person.Phone"`

	Phone string `aml:"phone,identifier"`
	ID    int32  `aml:"id,discriminator"`
	Name  string `aml:"name"`
}
