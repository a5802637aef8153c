package twice

import "github.com/cassaml/cassaml/aml"

type A struct {
	aml.Aggregate `aml:"a_b"`

	ID int32 `aml:",identifier"`
}

type B struct {
	aml.Aggregate `aml:"a_B"`

	ID int32 `aml:",identifier"`
}

// C's query on B would have the name of that of a_b.
type C struct {
	aml.Aggregate `aml:"c"`

	ID int32 `aml:",identifier"`
	B  int32 `aml:",discriminator"`
	D  int32 `aml:",discriminator"`
}

type D struct {
	aml.Aggregate `aml:"c_b"`

	ID int32 `aml:",identifier"`
	E  int32 `aml:",discriminator"`
}

type Digit struct {
	aml.Aggregate `aml:"2fa"`

	ID int32 `aml:",identifier"`
}

type Nothing struct {
	aml.Aggregate `aml:"___"`

	ID int32 `aml:",identifier"`
}
