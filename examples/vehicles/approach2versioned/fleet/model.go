// Package fleet stores the same as approach2, the vehicles embedded in their client and again in a redundant
// table, and enforces the rule that approach2 leaves to the developer: no two clients have the same plate.
//
// The tables are the tables of approach2. In addition, the client has a version, an optimistic lock, and the columns and tables of
// the tool's protocol: clientes__veiculos_placa_unique has the claims of plates, clientes__sync the progress of the copies. The
// plate is a claimed value, so it can be the complete key of the redundant table without distinct.
//
// It has the strengths of approach2, and two concurrent writers of one client, or two clients with the same plate, can no
// longer leave it wrong. It costs a conditional write for each save and one more for each new plate, which is several times the
// cost of an ordinary write: suitable for data that is read often and written rarely.
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

// Veiculo is a vehicle. It is an entity: its plate distinguishes it from the other vehicles of its client and, because it is
// unique, from the vehicles of all clients.
type Veiculo struct {
	aml.Entity `aml:"veiculo"`

	Placa string `aml:"placa,identifier,unique,required"` //aml:ignore AML906 a vehicle is rarely new
	Cor   string `aml:"cor"`
}

// VeiculoPorPlaca is the redundant aggregate: one row for every vehicle of every client.
type VeiculoPorPlaca struct {
	aml.Aggregate `aml:"veiculos,redundant=Cliente.Veiculos"`

	Placa string `aml:"placa,identifier"`
	Cor   string `aml:"cor"`
}
