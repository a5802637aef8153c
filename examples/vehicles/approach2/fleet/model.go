// Package fleet stores a client with its vehicles embedded, and a redundant table of the vehicles without their owner. The
// redundancy is partial: a vehicle is stored twice, its owner once.
//
// Its strength is both queries: a client with all its vehicles, and a vehicle by its plate, are one query each. A list of all
// vehicles is a scan of a table that contains only vehicles.
//
// Each change of a vehicle is a write of several tables, which must never be left incomplete, and a row of the redundant table
// does not contain the owner. The database does not enforce one owner per plate: distinct is an assurance of the developer, and
// if two clients have the same plate, the later write wins. Package approach2versioned enforces the rule.
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

// VeiculoPorPlaca is the redundant aggregate: one row for every vehicle of every client.
//
//aml:ignore AML902 one program writes, as in the published experiment
//aml:ignore AML910 without the owner, as published
type VeiculoPorPlaca struct {
	aml.Aggregate `aml:"veiculos,redundant=Cliente.Veiculos,distinct"`

	Placa string `aml:"placa,identifier"`
	Cor   string `aml:"cor"`
}
