// Package referenced has the stores with a table of clients and one of vehicles: with a table of pairs, and with references from either side.
package referenced

import (
	"context"

	"github.com/cassaml/cassaml/integration/bench/byhand"
)

// Cliente is a client.
type Cliente struct {
	ID        int32
	Nome      string
	Emails    []string
	Telefones []string
}

// Veiculo is a vehicle.
type Veiculo struct {
	Placa string
	Cor   string
}

// Clientes reads and writes clients.
type Clientes struct{ byhand.DB }

// Get reads a client.
func (t Clientes) Get(ctx context.Context, id int32) (*Cliente, error) {
	var c Cliente
	s := byhand.S("SELECT id, nome, emails, telefones FROM clientes WHERE id = ?", id)
	if err := t.Row(ctx, s, &c.ID, &c.Nome, &c.Emails, &c.Telefones); err != nil {
		return nil, err
	}
	return &c, nil
}

// Insert writes a client.
func (t Clientes) Insert(ctx context.Context, c *Cliente) error {
	return t.Exec(ctx, byhand.S("INSERT INTO clientes (id, nome, emails, telefones) VALUES (?, ?, ?, ?)", c.ID, c.Nome, c.Emails, c.Telefones))
}

// SetNome changes the name of a client.
func (t Clientes) SetNome(ctx context.Context, id int32, name string) error {
	return t.Exec(ctx, byhand.S("UPDATE clientes SET nome = ? WHERE id = ?", name, id))
}

// Delete deletes a client.
func (t Clientes) Delete(ctx context.Context, id int32) error {
	return t.Exec(ctx, byhand.S("DELETE FROM clientes WHERE id = ?", id))
}

// Veiculos reads and writes vehicles.
type Veiculos struct{ byhand.DB }

// Get reads a vehicle.
func (t Veiculos) Get(ctx context.Context, plate string) (*Veiculo, error) {
	var v Veiculo
	if err := t.Row(ctx, byhand.S("SELECT placa, cor FROM veiculos WHERE placa = ?", plate), &v.Placa, &v.Cor); err != nil {
		return nil, err
	}
	return &v, nil
}

// Insert writes a vehicle.
func (t Veiculos) Insert(ctx context.Context, v *Veiculo) error {
	return t.Exec(ctx, byhand.S("INSERT INTO veiculos (placa, cor) VALUES (?, ?)", v.Placa, v.Cor))
}

// SetCor changes the colour of a vehicle.
func (t Veiculos) SetCor(ctx context.Context, plate, colour string) error {
	return t.Exec(ctx, byhand.S("UPDATE veiculos SET cor = ? WHERE placa = ?", colour, plate))
}

// Delete deletes a vehicle.
func (t Veiculos) Delete(ctx context.Context, plate string) error {
	return t.Exec(ctx, byhand.S("DELETE FROM veiculos WHERE placa = ?", plate))
}
