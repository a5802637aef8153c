// Package fleet stores a client with its vehicles embedded, as approach1 does, but as a qualified composition:
// a map from the plate to the vehicle instead of a list.
//
// What it adds to approach1: a client cannot hold one plate twice, and a vehicle is added, changed or removed by its
// plate as one cell, without a rewrite of the others and without a read. What stays: one row, one query, one atomic
// write, no redundancy, and no way to a vehicle but through its client. The order of the vehicles is that of their
// plates.
//
// The key of the map stands in the value as well, so that a vehicle is whole without its map; a service that writes
// by hand keeps both equal.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client with the vehicles that it owns, by plate.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID        int32              `aml:"id,identifier"`
	Nome      string             `aml:"nome,required"`
	Emails    []string           `aml:"emails"`
	Telefones []string           `aml:"telefones,unique"`
	Veiculos  map[string]Veiculo `aml:"veiculos,composition"`
}

// Veiculo is a vehicle.
type Veiculo struct {
	aml.ValueObject `aml:"veiculo"`

	Placa string `aml:"placa,required"`
	Cor   string `aml:"cor"`
}
