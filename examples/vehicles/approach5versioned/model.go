// Package approach5versioned stores vehicles with their client embedded and the clients in a table of their own, as
// approach5 does, but the other way round in authority: the client is the source, and what a vehicle contains of it is a
// copy that follows.
//
// It is good at a vehicle with its owner in one query, at clients that exist without a vehicle, and at a change of a
// client, which reaches all of its vehicles: they are found through a derived table, veiculos__cliente_holders. A
// vehicle cannot name a client that is not there, and a client that still has vehicles cannot be deleted.
//
// It costs a version on both sides, hence conditional writes; a vehicle's save reads its client first; and a client
// with very many vehicles makes one change of its name into as many writes, done one after another and resumed after
// a crash. Between the first and the last of them readers see both names.
package approach5versioned

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate -schema

// Cliente is a client: the source of its name.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID     int32  `aml:"id,identifier"`
	Nome   string `aml:"nome,required"`
	Versao int64  `aml:"versao,version"`
}

// Veiculo is a vehicle with its owner embedded.
type Veiculo struct {
	aml.Aggregate `aml:"veiculos"`

	Placa   string       `aml:"placa,identifier"`
	Cor     string       `aml:"cor"`
	Cliente Proprietario `aml:"cliente,composition,copy=Cliente"`
	Versao  int64        `aml:"versao,version"`
}

// Proprietario is the owner of a vehicle: the key of a client, which the service sets, and its name, which the tool
// fills in and keeps.
type Proprietario struct {
	aml.ValueObject `aml:"cliente"`

	ID   int32  `aml:"id"`
	Nome string `aml:"nome"`
}
