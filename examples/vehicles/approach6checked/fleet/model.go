// Package fleet stores the same as approach6, a client with the plates of its vehicles, and prevents orphan
// references.
//
// The plate in a client must be the plate of an existing vehicle, and a vehicle that a client refers to cannot be deleted. For this
// the tool records every reference on the vehicle's side, in clientes__veiculos_ids_refs, and both aggregates have a version.
// ondelete=clear would remove the plate from the set instead of rejecting the deletion.
//
// It is suitable for the same data as approach6 if an orphan plate is not acceptable. It costs conditional writes on both
// sides, a read of each newly referenced vehicle before the client is saved, and a read of the recorded references before a
// vehicle is deleted.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client that refers to its vehicles.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID          int32    `aml:"id,identifier"`
	Nome        string   `aml:"nome,required"`
	VeiculosIDs []string `aml:"veiculos_ids,unique,max=20,association=Veiculo,checked"`
	Versao      int64    `aml:"versao,version"`
}

// Veiculo is a vehicle.
type Veiculo struct {
	aml.Aggregate `aml:"veiculos"`

	Placa  string `aml:"placa,identifier"`
	Cor    string `aml:"cor"`
	Versao int64  `aml:"versao,version"`
}
