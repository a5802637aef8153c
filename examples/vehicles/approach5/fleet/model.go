// Package fleet stores vehicles with their client embedded, and beside them a redundant table of the clients
// alone. The redundancy is partial: the client is there twice, its vehicles once.
//
// It is good at a vehicle with its owner, and at a client by its key, one query each. Storing a vehicle stores its
// client, too, in the same batch.
//
// It costs consistency of the client, as the publications say: any vehicle inserts its client's row, many vehicles
// share it, and so none of them may delete it. That is what shared declares: rows are inserted, never removed, and of
// two names the later write wins. A change of a client has to reach all of its vehicles, and here that is the
// application's work. Package approach5versioned makes the client the source and does it.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Veiculo is a vehicle with its owner embedded: the source.
type Veiculo struct {
	aml.Aggregate `aml:"veiculos"`

	Placa   string       `aml:"placa,identifier"`
	Cor     string       `aml:"cor"`
	Cliente Proprietario `aml:"cliente,composition"`
}

// Proprietario is the owner of a vehicle.
type Proprietario struct {
	aml.ValueObject `aml:"cliente"`

	ID   int32  `aml:"id"`
	Nome string `aml:"nome,required"`
}

// Cliente is the redundant aggregate: a row for every client that any vehicle has named.
type Cliente struct {
	aml.Aggregate `aml:"clientes,redundant=Veiculo,shared"`

	ID   int32  `aml:"id,identifier,from=Veiculo.Cliente.ID"`
	Nome string `aml:"nome,from=Veiculo.Cliente.Nome"`
}
