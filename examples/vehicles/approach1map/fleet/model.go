// Package fleet stores a client with its vehicles embedded, as approach1 does, but as a qualified composition:
// a map from the plate to the vehicle instead of a list.
//
// Compared with approach1, a client cannot have the same plate twice, and a vehicle is added, changed or removed by its plate
// as one cell, without a rewrite of the others and without a read. As in approach1, there is one row, one query, one atomic
// write and no redundancy, and a vehicle is only found through its client. The vehicles are in the order of their plates.
//
// The value contains the key of the map as well, so that a vehicle is complete without its map. A service that changes the map
// must keep both equal.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client with the vehicles that it owns, by plate.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID        int32              `aml:"id,identifier"`
	Nome      string             `aml:"nome,required"`
	Emails    []string           `aml:"emails"`               //aml:ignore AML903 the published model has no limit
	Telefones []string           `aml:"telefones,unique"`     //aml:ignore AML903 the published model has no limit
	Veiculos  map[string]Veiculo `aml:"veiculos,composition"` //aml:ignore AML903 the published model has no limit
}

// Veiculo is a vehicle.
type Veiculo struct {
	aml.ValueObject `aml:"veiculo"`

	Placa string `aml:"placa,required"`
	Cor   string `aml:"cor"`
}
