// Package fleet is the published experiment on storing one 1:N relationship in Cassandra, in its third approach: clients
// with their vehicles embedded, and a redundant table of vehicles with their owner embedded.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client. The table clientes is the truth.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID        int32     `aml:"id,identifier"`
	Nome      string    `aml:"nome,required"`
	Emails    []string  `aml:"emails,max=5"`
	Telefones []string  `aml:"telefones,unique,max=5"`
	Veiculos  []Veiculo `aml:"veiculos,composition,max=20"`
}

// Veiculo is a vehicle of a client.
type Veiculo struct {
	aml.ValueObject `aml:"veiculo"`

	Placa string `aml:"placa,required"`
	Cor   string `aml:"cor"`
}

// VeiculoPorPlaca is the redundant aggregate: one row for every vehicle of every client, the root inverted. No two
// clients of this example share a plate, which distinct says.
//
//aml:ignore AML902 one program at a time changes a client here
type VeiculoPorPlaca struct {
	aml.Aggregate `aml:"veiculos,redundant=Cliente.Veiculos,distinct"`

	Placa   string       `aml:"placa,identifier"`
	Cor     string       `aml:"cor"`
	Cliente Proprietario `aml:"cliente,composition,from=Cliente"`
}

// Proprietario is the owner of a vehicle, as much of a client as the redundant table keeps.
type Proprietario struct {
	aml.ValueObject `aml:"cliente"`

	ID   int32  `aml:"id"`
	Nome string `aml:"nome"`
}
