package member

import "github.com/cassaml/cassaml/aml"

type A struct {
	aml.Aggregate `aml:"session"`

	ID      int32 `aml:",identifier"`
	Limit   int32 `aml:",discriminator"`
	Reverse int32 `aml:",discriminator"`
}
