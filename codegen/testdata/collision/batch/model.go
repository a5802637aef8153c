package batch

import "github.com/cassaml/cassaml/aml"

// Batch has the name of the type that collects writes.
type Batch struct {
	aml.Aggregate `aml:"batches"`

	ID int32 `aml:"id,identifier"`
}

// Process has the field Run in a batch, which is a method there.
type Process struct {
	aml.Aggregate `aml:"run"`

	ID int32 `aml:"id,identifier"`
}
