package followers

import (
	_ "embed"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Schema is the CQL of the tables.
//
//go:embed schema.cql
var Schema string

// Customer is the target of invoices.
type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID      int32  `aml:"id,identifier"`
	Name    string `aml:"name"`
	Version int64  `aml:"version,version"`
}

// Invoice has a copy of the name of its customer.
type Invoice struct {
	aml.Aggregate `aml:"invoices"`

	ID        int32  `aml:"id,identifier"`
	Payer     int32  `aml:"payer,association=Customer,rows=200000"`
	PayerName string `aml:"payer_name,copy=Customer.Name"`
	Version   int64  `aml:"version,version"`
}
