// Package approach6checked stores what approach6 stores, a client with the plates of its vehicles, and makes an
// orphan reference impossible to leave by accident.
//
// The plate that a client names must be that of a vehicle that exists, and a vehicle that a client still names cannot
// be deleted. For that the tool records every reference from the vehicle's side, in clientes__veiculos_ids_refs, and
// both aggregates have a version. ondelete=clear would take the plate out of the set instead of refusing.
//
// It is good where approach6 is and a dangling plate would be an incident. It costs conditional writes on both sides,
// a read of each newly named vehicle before the client is saved, and a read of the recorded references before a
// vehicle is deleted.
package approach6checked

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate -schema

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
