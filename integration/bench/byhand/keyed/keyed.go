// Package keyed has the store in which the vehicles are a map in the row of their client.
package keyed

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
	Veiculos  map[string]Veiculo
}

// Veiculo is a vehicle.
type Veiculo struct {
	Placa string `cql:"placa"`
	Cor   string `cql:"cor"`
}

// Store is the store.
type Store struct{ Clientes Clientes }

// Open returns the store of a session.
func Open(db byhand.DB) *Store { return &Store{Clientes{db}} }

// Clientes reads and writes clients.
type Clientes struct{ byhand.DB }

// Get reads a client.
func (t Clientes) Get(ctx context.Context, id int32) (*Cliente, error) {
	var c Cliente
	s := byhand.S("SELECT id, nome, emails, telefones, veiculos FROM clientes WHERE id = ?", id)
	if err := t.Row(ctx, s, &c.ID, &c.Nome, &c.Emails, &c.Telefones, &c.Veiculos); err != nil {
		return nil, err
	}
	return &c, nil
}

// Insert writes a client.
func (t Clientes) Insert(ctx context.Context, c *Cliente) error {
	return t.Exec(ctx, byhand.S("INSERT INTO clientes (id, nome, emails, telefones, veiculos) VALUES (?, ?, ?, ?, ?)",
		c.ID, c.Nome, c.Emails, c.Telefones, c.Veiculos))
}

// SetNome changes the name of a client.
func (t Clientes) SetNome(ctx context.Context, id int32, name string) error {
	return t.Exec(ctx, byhand.S("UPDATE clientes SET nome = ? WHERE id = ?", name, id))
}

// PutVeiculos adds or replaces a vehicle.
func (t Clientes) PutVeiculos(ctx context.Context, id int32, plate string, v Veiculo) error {
	return t.Exec(ctx, byhand.S("UPDATE clientes SET veiculos[?] = ? WHERE id = ?", plate, v, id))
}

// RemoveVeiculos removes a vehicle.
func (t Clientes) RemoveVeiculos(ctx context.Context, id int32, plate string) error {
	return t.Exec(ctx, byhand.S("DELETE veiculos[?] FROM clientes WHERE id = ?", plate, id))
}

// Delete deletes a client.
func (t Clientes) Delete(ctx context.Context, id int32) error {
	return t.Exec(ctx, byhand.S("DELETE FROM clientes WHERE id = ?", id))
}
