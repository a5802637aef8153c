// Package billing is the model of the other of two packages that share a keyspace. The name of its folder of migrations is
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

// Invoice is what a customer owes.
type Invoice struct {
	aml.Aggregate `aml:"invoices"`

	ID    int32      `aml:"id,identifier"`
	Total shop.Money `aml:"total,composition,final"`
	Payer Payer      `aml:"payer,composition,final"`
}

// Payer is who pays.
type Payer struct {
	Customer int32  `aml:"customer"`
	City     string `aml:"city"`
}
