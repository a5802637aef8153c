// Package fleet stores clients and vehicles as two aggregates, and in a client the plates of its vehicles: an
// array of references.
//
// It is good at independence: nothing is stored twice, a vehicle changes without its client being touched, and both
// are small rows. Plates are added to and removed from the set one by one, without a read.
//
// It costs a second read: the vehicles of a client are read by their plates after the client. From a vehicle there is
// no way to its client, and nothing keeps a plate in the set from naming a vehicle that does not exist, or that has
// been deleted since. Package approach6checked closes that.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client that refers to its vehicles.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID          int32    `aml:"id,identifier"`
	Nome        string   `aml:"nome,required"`
	VeiculosIDs []string `aml:"veiculos_ids,unique,association=Veiculo"`
}

// Veiculo is a vehicle.
type Veiculo struct {
	aml.Aggregate `aml:"veiculos"`

	Placa string `aml:"placa,identifier"`
	Cor   string `aml:"cor"`
}
