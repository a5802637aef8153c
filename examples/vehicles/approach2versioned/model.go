// Package approach2versioned stores what approach2 stores, the vehicles embedded in their client and once more in a
// table of their own, and keeps the rule that approach2 leaves to the developer: no two clients hold one plate.
//
// The tables are those of approach2. The client has a version on top, an optimistic lock, and the columns and tables
// in which the tool keeps its protocol: clientes__veiculos_placa_unique is where plates are claimed, clientes__sync
// says how far the copies are. The plate is a claimed value, so it can be the whole key of the redundant table
// without distinct.
//
// It is good at what approach2 is good at, and two writers of one client, or two clients that want one plate, can no
// longer leave it wrong. It costs a conditional write for each save and one more for each new plate, which is several
// times an ordinary write: right for data that is read much and written seldom.
package approach2versioned

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate -schema

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

// Veiculo is a vehicle. It is an entity: its plate tells it from the other vehicles of its client, and, being unique,
// from those of all clients.
type Veiculo struct {
	aml.Entity `aml:"veiculo"`

	Placa string `aml:"placa,identifier,unique"`
	Cor   string `aml:"cor"`
}

// VeiculoPorPlaca is the redundant aggregate: one row for every vehicle of every client.
type VeiculoPorPlaca struct {
	aml.Aggregate `aml:"veiculos,redundant=Cliente.Veiculos"`

	Placa string `aml:"placa,identifier"`
	Cor   string `aml:"cor"`
}
