// Package fleet stores a client with its vehicles embedded and, beside it, a redundant table of the vehicles
// alone. The redundancy is partial: the vehicle is there twice, its owner once.
//
// It is good at both questions: a client with all its vehicles, and a vehicle by its plate, each answered by one
// query. A list of all vehicles is a scan of a table that holds nothing else.
//
// It costs a write of several tables for each change of a vehicle, which must never be left half done, and a row of
// the redundant table does not say whose the vehicle is. Nothing in the database enforces one owner a plate: distinct
// is the developer's promise, and where two clients hold one plate the later write wins. Package
// approach2versioned keeps the rule.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client with the vehicles that it owns: the source.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID        int32     `aml:"id,identifier"`
	Nome      string    `aml:"nome,required"`
	Emails    []string  `aml:"emails"`
	Telefones []string  `aml:"telefones,unique"`
	Veiculos  []Veiculo `aml:"veiculos,composition"`
}

// Veiculo is a vehicle of a client.
type Veiculo struct {
	aml.ValueObject `aml:"veiculo"`

	Placa string `aml:"placa,required"`
	Cor   string `aml:"cor"`
}

// VeiculoPorPlaca is the redundant aggregate: one row for every vehicle of every client.
type VeiculoPorPlaca struct {
	aml.Aggregate `aml:"veiculos,redundant=Cliente.Veiculos,distinct"`

	Placa string `aml:"placa,identifier"`
	Cor   string `aml:"cor"`
}
