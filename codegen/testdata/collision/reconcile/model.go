package reconcile

import "github.com/cassaml/cassaml/aml"

type A struct {
	aml.Aggregate `aml:"reconcile"`

	ID int32 `aml:",identifier"`
}
