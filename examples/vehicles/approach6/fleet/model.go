// Package fleet stores clients and vehicles as two aggregates, and in a client the plates of its vehicles: an
// array of references.
//
// Its strength is independence: nothing is stored twice, a vehicle changes without a write to its client, and both are small
// rows. Plates are added to and removed from the set one by one, without a read.
//
// It costs a second read: the vehicles of a client are read by their plates after the client. A vehicle does not refer to its
// client, and a plate in the set can refer to a vehicle that does not exist or has been deleted. Package approach6checked
// prevents this.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client that refers to its vehicles.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID          int32    `aml:"id,identifier"`
	Nome        string   `aml:"nome,required"`
	VeiculosIDs []string `aml:"veiculos_ids,unique,association=Veiculo"` //aml:ignore AML903 the published model has no limit
}

// Veiculo is a vehicle.
type Veiculo struct {
	aml.Aggregate `aml:"veiculos"`

	Placa string `aml:"placa,identifier"`
	Cor   string `aml:"cor"`
}
