package keys

import "github.com/cassaml/cassaml/aml"

// Box has a discriminator with the name of a method of every query.
type Box struct {
	aml.Aggregate `aml:"boxes"`

	Room  string `aml:"room,identifier"`
	Count int32  `aml:"count,discriminator"`
	Owner string `aml:"owner,static"`
}

// BoxesKey has the name of the struct of a primary key.
type BoxesKey struct{ Room string }

// BoxesStatics has the name of the struct of the static columns.
type BoxesStatics struct{ Owner string }
