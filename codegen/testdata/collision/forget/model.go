package forget

import "github.com/cassaml/cassaml/aml"

type A struct {
	aml.Aggregate `aml:"forget"`

	ID   int32  `aml:",identifier"`
	City string `aml:",required"`
}

type Cities struct {
	aml.Aggregate `aml:"cities,redundant=A,shared,cache=1h"`

	City string `aml:",identifier"`
}
