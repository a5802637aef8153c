// Package shop is the model of one of two packages that share a keyspace. Its folder of migrations has no name.
package shop

import (
	"embed"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Migrations contains the folder of this package.
//
//go:embed migrations
var Migrations embed.FS

// Customer is a customer of the shop.
type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID     int32  `aml:"id,identifier"`
	Name   string `aml:"name"`
	Credit Money  `aml:"credit,composition,final"`
}

// Money is stored by both packages. The folder of this one creates and alters its type.
type Money struct {
	Amount   int64  `aml:"amount"`
	Currency string `aml:"currency"`
}
