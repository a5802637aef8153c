// Package fleet stores a client with its vehicles embedded, and a redundant table of the vehicles with their owner embedded:
// the redundancy is total, the inverted root.
//
// Its strength is both directions: a client with its vehicles, and a vehicle with its owner, are one query each.
//
// It has the highest cost of writes: a change of a vehicle writes its row, a change of the client's name writes the rows of all
// its vehicles, and none of them may be left stale. The database does not enforce one owner per plate: distinct is an assurance
// of the developer. Package approach3versioned enforces the rule.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client with the vehicles that it owns: the source.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID        int32     `aml:"id,identifier"`
	Nome      string    `aml:"nome,required"`
	Emails    []string  `aml:"emails"`               //aml:ignore AML903 the published model has no limit
	Telefones []string  `aml:"telefones,unique"`     //aml:ignore AML903 the published model has no limit
	Veiculos  []Veiculo `aml:"veiculos,composition"` //aml:ignore AML903 the published model has no limit
}

// Veiculo is a vehicle of a client.
type Veiculo struct {
	aml.ValueObject `aml:"veiculo"`

	Placa string `aml:"placa,required"`
	Cor   string `aml:"cor"`
}

// VeiculoPorPlaca is the redundant aggregate: one row for every vehicle of every client, with its owner.
//
//aml:ignore AML902 one program writes, as in the published experiment
type VeiculoPorPlaca struct {
	aml.Aggregate `aml:"veiculos,redundant=Cliente.Veiculos,distinct"`

	Placa   string       `aml:"placa,identifier"`
	Cor     string       `aml:"cor"`
	Cliente Proprietario `aml:"cliente,composition,from=Cliente"`
}

// Proprietario is the owner of a vehicle: the fields of a client that the redundant table contains.
type Proprietario struct {
	aml.ValueObject `aml:"cliente"`

	ID   int32  `aml:"id"`
	Nome string `aml:"nome"`
}
