// Package fleet stores clients, vehicles and, between them, a table of references: a row for each pair of a
// client and a vehicle. It is the only one of the eight approaches for N:M, a vehicle of several clients.
//
// It is good at growth: a pair is one small row, written and deleted by itself, and neither a client's nor a
// vehicle's row grows with the relationship. The published table answers which vehicles a client has; the redundant
// one, keyed the other way round, answers which clients a vehicle has. A pair is its key, so both tables always have
// the same pairs.
//
// It costs reads: the pairs first, then each vehicle or client by its key. With the redundant table a pair is two
// rows in two partitions, written in one batch. Nothing keeps a pair from naming what does not exist.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID   int32  `aml:"id,identifier"`
	Nome string `aml:"nome,required"`
}

// Veiculo is a vehicle.
type Veiculo struct {
	aml.Aggregate `aml:"veiculos"`

	Placa string `aml:"placa,identifier"`
	Cor   string `aml:"cor"`
}

// ClienteVeiculo is a pair: a client has a vehicle.
type ClienteVeiculo struct {
	aml.Aggregate `aml:"clientes_veiculos"`

	IDCliente int32  `aml:"id_cliente,identifier,association=Cliente"`
	Placa     string `aml:"placa,discriminator,association=Veiculo"`
}

// VeiculoCliente is the redundant aggregate: the same pairs, found from the vehicle.
type VeiculoCliente struct {
	aml.Aggregate `aml:"veiculos_clientes,redundant=ClienteVeiculo"`

	Placa     string `aml:"placa,identifier"`
	IDCliente int32  `aml:"id_cliente,discriminator"`
}
