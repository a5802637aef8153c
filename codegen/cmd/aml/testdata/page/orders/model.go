package orders

import "github.com/cassaml/cassaml/aml"

// Order is an order.
type Order struct {
	aml.Aggregate `aml:"orders"`

	ID    int64  `aml:"id,identifier"`
	Count uint32 `aml:"count"`
}
