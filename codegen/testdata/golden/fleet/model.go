// Package fleet has clients with their vehicles embedded, and redundant tables of the vehicles.
package fleet

import "github.com/cassaml/cassaml/aml"

// Cliente is the root.
type Cliente struct {
	aml.Aggregate `aml:"clientes"`

	ID        int32     `aml:"id,identifier"`
	Nome      string    `aml:"nome,required"`
	Emails    []string  `aml:"emails"`
	Telefones []string  `aml:"telefones,unique"`
	Veiculos  []Veiculo `aml:"veiculos,composition"`
	Endereco  *Endereco `aml:"endereco,composition"`
}

// Veiculo is an entity of a client.
type Veiculo struct {
	aml.ValueObject `aml:"veiculo"`

	Placa string `aml:"placa,required"`
	Cor   string `aml:"cor"`
}

// Endereco is the address of a client.
type Endereco struct{ Rua, Cidade string }

// VeiculoPorPlaca is the inverted root: clients by plate.
type VeiculoPorPlaca struct {
	aml.Aggregate `aml:"veiculos,redundant=Cliente.Veiculos,distinct"`

	Placa   string       `aml:"placa,identifier"`
	Cor     string       `aml:"cor"`
	Cliente Proprietario `aml:"cliente,composition,from=Cliente"`
}

// Proprietario is the owner of a vehicle.
type Proprietario struct {
	aml.ValueObject `aml:"cliente"`

	ID   int32
	Nome string
}

// VeiculoPorCor has the vehicles by colour, then by plate.
type VeiculoPorCor struct {
	aml.Aggregate `aml:"veiculos_por_cor,redundant=Cliente.Veiculos,distinct"`

	Cor   string `aml:"cor,identifier"`
	Placa string `aml:"placa,discriminator,desc"`
}
