// Package fleet stores the same as approach7, a vehicle with the key of its client, and prevents orphan references.
//
// A vehicle cannot be saved with a client that does not exist, and the deletion of a client sets the reference of its vehicles
// to null: they stay, without an owner. restrict, the default, would reject the deletion while there are vehicles, and cascade
// would delete them. The tool finds them in veiculos__id_cliente_refs.
//
// It is suitable for the same data as approach7 if an orphan key is not acceptable. It costs a version and conditional writes
// on both sides, a read of the client for each save of a vehicle, and the deletion of a client saves each of its vehicles.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Veiculo is a vehicle that refers to its client, if it has one.
type Veiculo struct {
	aml.Aggregate `aml:"veiculos"`

	Placa     string `aml:"placa,identifier"`
	Cor       string `aml:"cor"`
	IDCliente *int32 `aml:"id_cliente,association=Cliente,checked,ondelete=clear"`
	Versao    int64  `aml:"versao,version"`
}

// Cliente is a client.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID     int32  `aml:"id,identifier"`
	Nome   string `aml:"nome,required"`
	Versao int64  `aml:"versao,version"`
}
