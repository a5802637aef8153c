// Package fleet stores clients, vehicles and a table of references between them: a row for each pair of a client and a vehicle.
// It is the only one of the eight approaches for N:M, a vehicle of several clients.
//
// Its strength is growth: a pair is one small row, written and deleted separately, and neither a client's nor a vehicle's row
// grows with the relationship. The published table has the vehicles of a client; the redundant table, with the columns of the
// key in reverse order, has the clients of a vehicle. A pair consists of its key only, so both tables always have the same
// pairs.
//
// It costs reads: the pairs first, then each vehicle or client by its key. With the redundant table a pair is two rows in two
// partitions, written in one batch. A pair can refer to a client or vehicle that does not exist.
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
	Placa     string `aml:"placa,discriminator,association=Veiculo,required"`
}

// VeiculoCliente is the redundant aggregate: the same pairs, by vehicle.
type VeiculoCliente struct {
	aml.Aggregate `aml:"veiculos_clientes,redundant=ClienteVeiculo"`

	Placa     string `aml:"placa,identifier"`
	IDCliente int32  `aml:"id_cliente,discriminator"`
}
