// Package fleet stores the relationship from its other end: one table of vehicles, the client embedded in each of
// its vehicles. It also shows a full key: the make is the partition, year and plate order and tell apart the vehicles
// in it, and the country that a make comes from is a static column, stored once for the partition.
//
// It is good at the vehicle: its row holds its owner, one query reads both, one atomic write stores both. The
// vehicles of a make come in one query, newest first, and can be cut by year.
//
// It costs the client: there is no table of clients, a client repeats in each of its vehicles, and one without a
// vehicle cannot be stored. A change of a client's name has to find and write all of its vehicles, which this design
// leaves to the application. A make that sells much is a large partition.
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

// Cliente is the owner, as it is known to the row of the vehicle.
type Cliente struct {
	aml.ValueObject `aml:"cliente"`

	ID   int32  `aml:"id"`
	Nome string `aml:"nome"`
}
