// Package fleet stores clients, vehicles and the references between them, as approach8 does, with the rule that the
// study of HBase adds: a vehicle can appear at most once in all pairs of all clients.
//
// The rule is enforced by the key: it is the plate. The source is veiculos_clientes, with one row for each vehicle that has a
// client; the published table, clientes_veiculos, is derived from it and has the vehicles of a client. A second pair for a
// plate is rejected (the root has a version, so inserting it again is an error), and the sale of a vehicle is an update of its
// pair, which moves the row of the published table from the old client's partition to the partition of the new client.
//
// Its strength is the rule, which no two concurrent writers can violate, without a separate claim. It costs conditional writes,
// where the writes of approach8 are plain, and a batch over two partitions for each pair, three for a sale.
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

// VeiculoCliente is a pair: a vehicle belongs to a client. The plate alone is its identifier.
type VeiculoCliente struct {
	aml.Aggregate `aml:"veiculos_clientes"`

	Placa     string `aml:"placa,identifier,association=Veiculo"`
	IDCliente int32  `aml:"id_cliente,association=Cliente"`
	Versao    int64  `aml:"versao,version"`
}

// ClienteVeiculo is the redundant aggregate: the same pairs, by client.
type ClienteVeiculo struct {
	aml.Aggregate `aml:"clientes_veiculos,redundant=VeiculoCliente"`

	IDCliente int32  `aml:"id_cliente,identifier"`
	Placa     string `aml:"placa,discriminator"`
}
