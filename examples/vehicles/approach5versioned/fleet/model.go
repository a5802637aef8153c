// Package fleet stores vehicles with their client embedded and the clients in a separate table, as approach5 does,
// but with the client as the source: the client's fields in a vehicle are a copy that is kept consistent.
//
// Its strengths are a vehicle with its owner in one query, clients without vehicles, and a change of a client that reaches all
// of its vehicles: they are found through a derived table, veiculos__cliente_holders. A vehicle cannot refer to a missing
// client, and a client with vehicles cannot be deleted.
//
// It costs a version on both sides, and so conditional writes; a save of a vehicle reads its client first; and a change of the
// name of a client with many vehicles is one save per vehicle, which FanOut and Reconcile resume after a crash. Between the
// first and the last of them readers see both names.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

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

// Proprietario is the owner of a vehicle: the key of a client, which the service sets, and its name, which the tool fills in
// and keeps consistent.
type Proprietario struct {
	aml.ValueObject `aml:"cliente"`

	ID   int32  `aml:"id"`
	Nome string `aml:"nome"`
}
