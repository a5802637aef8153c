// Package invoice is the model with which checked references are measured.
package invoice

import (
	_ "embed"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Schema is the CQL of the tables.
//
//go:embed schema.cql
var Schema string

// Customer is the target of the references.
type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID      gocql.UUID `aml:"id,identifier"`
	Name    string     `aml:"name"`
	Version int64      `aml:"version,version"`
}

// Invoice refers to a customer.
type Invoice struct {
	aml.Aggregate `aml:"invoices"`

	ID       gocql.UUID `aml:"id,identifier"`
	Customer gocql.UUID `aml:"customer,association=Customer,checked"`
	Cents    int64      `aml:"cents"`
	Version  int64      `aml:"version,version"`
}
