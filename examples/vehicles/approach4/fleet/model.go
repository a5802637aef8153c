// Package fleet stores the relationship from the other side: one table of vehicles, with the client embedded in each of its
// vehicles. It also shows a key with all parts: the make is the partition key, the year and the plate order and identify the
// vehicles in it, and the country of the make is a static column, stored once per partition.
//
// Its strength is the vehicle: its row contains its owner, one query reads both, one atomic write stores both. The vehicles of
// a make are one query, newest first, and can be restricted by year.
//
// It costs the client: there is no table of clients, a client is repeated in each of its vehicles, and a client without a
// vehicle cannot be stored. A change of a client's name has to find and write all of its vehicles, which this design leaves to
// the application. A make with many vehicles is a large partition.
package fleet

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Veiculo is a vehicle with its owner embedded.
type Veiculo struct {
	aml.Aggregate `aml:"veiculos,rows=20000"`

	Marca      string  `aml:"marca,identifier"`
	Ano        int32   `aml:"ano,discriminator,desc"`
	Placa      string  `aml:"placa,discriminator,asc"`
	Modelo     string  `aml:"modelo"`
	Cor        string  `aml:"cor"`
	PaisOrigem string  `aml:"pais_origem,static"`
	Cliente    Cliente `aml:"cliente,composition"`
}

// Cliente is the owner, as it is stored in the row of the vehicle.
type Cliente struct {
	aml.ValueObject `aml:"cliente"`

	ID   int32  `aml:"id"`
	Nome string `aml:"nome"`
}
