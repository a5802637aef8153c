// Package inverse has the store whose vehicles contain their client.
package inverse

import (
	"context"

	"github.com/cassaml/cassaml/integration/bench/byhand"
)

// Cliente is a client.
type Cliente struct {
	ID        int32    `cql:"id"`
	Nome      string   `cql:"nome"`
	Emails    []string `cql:"emails"`
	Telefones []string `cql:"telefones"`
}

// Veiculo is a vehicle.
type Veiculo struct {
	Placa   string
	Cor     string
	Cliente Cliente
}

// Store is the store.
type Store struct{ Veiculos Veiculos }

// Open returns the store of a session.
func Open(db byhand.DB) *Store { return &Store{Veiculos{db}} }

// Veiculos reads and writes vehicles.
type Veiculos struct{ byhand.DB }

// Get reads a vehicle.
func (t Veiculos) Get(ctx context.Context, plate string) (*Veiculo, error) {
	var v Veiculo
	if err := t.Row(ctx, byhand.S("SELECT placa, cor, cliente FROM veiculos WHERE placa = ?", plate), &v.Placa, &v.Cor, &v.Cliente); err != nil {
		return nil, err
	}
	return &v, nil
}

// Insert writes a vehicle.
func (t Veiculos) Insert(ctx context.Context, v *Veiculo) error {
	return t.Exec(ctx, byhand.S("INSERT INTO veiculos (placa, cor, cliente) VALUES (?, ?, ?)", v.Placa, v.Cor, v.Cliente))
}

// SetCor changes the colour of a vehicle.
func (t Veiculos) SetCor(ctx context.Context, plate, colour string) error {
	return t.Exec(ctx, byhand.S("UPDATE veiculos SET cor = ? WHERE placa = ?", colour, plate))
}

// SetCliente changes the client of a vehicle.
func (t Veiculos) SetCliente(ctx context.Context, plate string, c Cliente) error {
	return t.Exec(ctx, byhand.S("UPDATE veiculos SET cliente = ? WHERE placa = ?", c, plate))
}
