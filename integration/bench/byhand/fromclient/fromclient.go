// Package fromclient has the store whose clients refer to their vehicles.
package fromclient

import (
	"context"

	"github.com/cassaml/cassaml/integration/bench/byhand"
	"github.com/cassaml/cassaml/integration/bench/byhand/referenced"
)

// Cliente is a client.
type Cliente struct {
	ID            int32
	Nome          string
	Emails        []string
	Telefones     []string
	VeiculoPlacas []string
}

// Store is the store.
type Store struct {
	Clientes Clientes
	Veiculos referenced.Veiculos
}

// Open returns the store of a session.
func Open(db byhand.DB) *Store {
	return &Store{Clientes{referenced.Clientes{DB: db}}, referenced.Veiculos{DB: db}}
}

// Clientes reads and writes clients.
type Clientes struct{ referenced.Clientes }

// Get reads a client.
func (t Clientes) Get(ctx context.Context, id int32) (*Cliente, error) {
	var c Cliente
	s := byhand.S("SELECT id, nome, emails, telefones, veiculo_placas FROM clientes WHERE id = ?", id)
	if err := t.Row(ctx, s, &c.ID, &c.Nome, &c.Emails, &c.Telefones, &c.VeiculoPlacas); err != nil {
		return nil, err
	}
	return &c, nil
}

// Insert writes a client.
func (t Clientes) Insert(ctx context.Context, c *Cliente) error {
	return t.Exec(ctx, byhand.S("INSERT INTO clientes (id, nome, emails, telefones, veiculo_placas) VALUES (?, ?, ?, ?, ?)",
		c.ID, c.Nome, c.Emails, c.Telefones, c.VeiculoPlacas))
}

// AddVeiculoPlacas adds a reference.
func (t Clientes) AddVeiculoPlacas(ctx context.Context, id int32, plate string) error {
	return t.Exec(ctx, byhand.S("UPDATE clientes SET veiculo_placas = veiculo_placas + ? WHERE id = ?", []string{plate}, id))
}

// RemoveVeiculoPlacas removes a reference.
func (t Clientes) RemoveVeiculoPlacas(ctx context.Context, id int32, plate string) error {
	return t.Exec(ctx, byhand.S("UPDATE clientes SET veiculo_placas = veiculo_placas - ? WHERE id = ?", []string{plate}, id))
}
