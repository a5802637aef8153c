// Package approach8unique stores clients, vehicles and the references between them, as approach8 does, with the rule
// that the study of HBase adds: a vehicle may appear once, in all pairs of all clients.
//
// A rule about the plate alone is kept by making the plate the key. The source is veiculos_clientes, one row for each
// vehicle that has a client; the published table, clientes_veiculos, is made from it and answers which vehicles a
// client has. A pair for a plate that has one already is refused (the root has a version, so inserting it again is an
// error), and to sell a vehicle is an update of its pair, which moves the row of the published table from the old
// client's partition to the new one's.
//
// It is good at the rule, which no two writers can break, without a claim beside the row. It costs conditional
// writes, where those of approach8 are plain, and a batch over two partitions for each pair, three for a sale.
package approach8unique

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate -schema

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

// VeiculoCliente is a pair: a vehicle belongs to a client. The plate alone identifies it.
type VeiculoCliente struct {
	aml.Aggregate `aml:"veiculos_clientes"`

	Placa     string `aml:"placa,identifier,association=Veiculo"`
	IDCliente int32  `aml:"id_cliente,association=Cliente"`
	Versao    int64  `aml:"versao,version"`
}

// ClienteVeiculo is the redundant aggregate: the same pairs, found from the client.
type ClienteVeiculo struct {
	aml.Aggregate `aml:"clientes_veiculos,redundant=VeiculoCliente"`

	IDCliente int32  `aml:"id_cliente,identifier"`
	Placa     string `aml:"placa,discriminator"`
}
