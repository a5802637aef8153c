// Package fleet stores the same as approach3, the vehicles embedded in their client and the client embedded in
// each row of the redundant table, and enforces the rule that approach3 leaves to the developer: no two clients have the same
// plate.
//
// The tables are the tables of approach3, with a version of the client and the additional columns and tables of the tool, as in
// approach2versioned. Its strength is reading in both directions with one query, with copies that converge after any crash and
// any concurrent writes: a row of the redundant table never mixes two versions of its client. It costs conditional writes, one
// for each save and one for each new plate, and a change of the client's name rewrites the rows of all its vehicles.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Cliente is a client with the vehicles that it owns: the source.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID        int32     `aml:"id,identifier"`
	Nome      string    `aml:"nome,required"`
	Emails    []string  `aml:"emails,max=10"`
	Telefones []string  `aml:"telefones,unique,max=10"`
	Veiculos  []Veiculo `aml:"veiculos,composition,max=20"`
	Versao    int64     `aml:"versao,version"`
}

// Veiculo is a vehicle, identified by its plate within its client and among all clients.
type Veiculo struct {
	aml.Entity `aml:"veiculo"`

	Placa string `aml:"placa,identifier,unique,required"` //aml:ignore AML906 a vehicle is rarely new
	Cor   string `aml:"cor"`
}

// VeiculoPorPlaca is the redundant aggregate: one row for every vehicle of every client, with its owner.
type VeiculoPorPlaca struct {
	aml.Aggregate `aml:"veiculos,redundant=Cliente.Veiculos"`

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
