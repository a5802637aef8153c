// Package billing is the model of the other of two packages that share a keyspace. Its folder of migrations has the name
// billing.
package billing

import (
	"embed"

	"github.com/cassaml/cassaml/aml"
	"github.com/cassaml/cassaml/integration/market/shop"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Migrations contains the folder of this package.
//
//go:embed migrations
var Migrations embed.FS

// Invoice is the debt of a customer.
type Invoice struct {
	aml.Aggregate `aml:"invoices"`

	ID    int32      `aml:"id,identifier"`
	Total shop.Money `aml:"total,composition,final"`
	Payer Payer      `aml:"payer,composition,final"`
}

// Payer pays an invoice.
type Payer struct {
	Customer int32  `aml:"customer"`
	City     string `aml:"city"`
}
