// Package fleet stores clients and vehicles as two aggregates, and in a vehicle the key of its client: one reference, as in a
// relational schema.
//
// Its strength is small rows and cheap writes: nothing is stored twice, and the sale of a vehicle writes one column. A vehicle
// has at most one client by construction.
//
// It costs a second read from a vehicle to its client, and the vehicles of a client cannot be found by key: this query needs a
// redundant table, as in approach8, or an index. A vehicle can refer to a client that does not exist. Package approach7checked
// prevents this.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Veiculo is a vehicle that refers to its client, if it has one.
type Veiculo struct {
	aml.Aggregate `aml:"veiculos"`

	Placa     string `aml:"placa,identifier"`
	Cor       string `aml:"cor"`
	IDCliente *int32 `aml:"id_cliente,association=Cliente"`
}

// Cliente is a client.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID   int32  `aml:"id,identifier"`
	Nome string `aml:"nome,required"`
}
