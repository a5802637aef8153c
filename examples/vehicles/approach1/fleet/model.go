// Package fleet stores a client with its vehicles embedded: one table, with one row for each client that contains a list of
// vehicles. It is the first of eight published ways to store one 1:N relationship.
//
// Its strength is the aggregate: one query by the client's key reads the client and all its vehicles, and every change of them
// is one atomic write of one row. Nothing is stored twice, so there are no inconsistent copies.
//
// It costs the other direction: a vehicle cannot be found without its client, except by reading the complete table. A list is
// written as a whole, so a change of one vehicle rewrites all of them, and the row grows with every vehicle.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client with the vehicles that it owns.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID        int32     `aml:"id,identifier"`
	Nome      string    `aml:"nome,required"`
	Emails    []string  `aml:"emails"`               //aml:ignore AML903 the published model has no limit
	Telefones []string  `aml:"telefones,unique"`     //aml:ignore AML903 the published model has no limit
	Veiculos  []Veiculo `aml:"veiculos,composition"` //aml:ignore AML903 the published model has no limit
}

// Veiculo is a vehicle. It is a value object: the list can contain two vehicles with the same plate.
type Veiculo struct {
	aml.ValueObject `aml:"veiculo"`

	Placa string `aml:"placa,required"`
	Cor   string `aml:"cor"`
}
