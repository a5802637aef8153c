// Package fleet stores vehicles with their client embedded, and a redundant table of the clients without their vehicles. The
// redundancy is partial: a client is stored twice, its vehicles once.
//
// Its strength is a vehicle with its owner, and a client by its key, one query each. A write of a vehicle also writes its
// client, in the same batch.
//
// It costs consistency of the client, as the publications note: any vehicle inserts its client's row, and many vehicles share
// it, so none of them may delete it. The option shared declares this: rows are inserted, never deleted, and of two names the
// later write wins. A change of a client has to reach all of its vehicles, which is left to the application here. Package
// approach5versioned makes the client the source and updates its vehicles.
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

// Cliente is the redundant aggregate: a row for every client that any vehicle has had.
type Cliente struct {
	aml.Aggregate `aml:"clientes,redundant=Veiculo,shared"`

	ID   int32  `aml:"id,identifier,from=Veiculo.Cliente.ID"`
	Nome string `aml:"nome,from=Veiculo.Cliente.Nome"`
}
