// Package embedded has the stores in which the vehicles are a list in the row of their client: alone, with a redundant table of vehicles, and with one
// whose rows contain the client.
package embedded

import (
	"context"
	"slices"

	"github.com/cassaml/cassaml/integration/bench/byhand"
)

// Cliente is a client.
type Cliente struct {
	ID        int32
	Nome      string
	Emails    []string
	Telefones []string
	Veiculos  []Veiculo
}

// Veiculo is a vehicle.
type Veiculo struct {
	Placa string `cql:"placa"`
	Cor   string `cql:"cor"`
}

// clients reads and writes the table of clients.
type clients struct{ byhand.DB }

// Get reads a client.
func (t clients) Get(ctx context.Context, id int32) (*Cliente, error) {
	var c Cliente
	s := byhand.S("SELECT id, nome, emails, telefones, veiculos FROM clientes WHERE id = ?", id)
	if err := t.Row(ctx, s, &c.ID, &c.Nome, &c.Emails, &c.Telefones, &c.Veiculos); err != nil {
		return nil, err
	}
	return &c, nil
}

// setName changes the name of a client, of which no other row has a copy.
func (t clients) setName(ctx context.Context, id int32, name string) error {
	return t.Exec(ctx, byhand.S("UPDATE clientes SET nome = ? WHERE id = ?", name, id))
}

func insertion(c *Cliente) byhand.Statement {
	return byhand.S("INSERT INTO clientes (id, nome, emails, telefones, veiculos) VALUES (?, ?, ?, ?, ?)", c.ID, c.Nome, c.Emails, c.Telefones, c.Veiculos)
}

func deletion(id int32) byhand.Statement { return byhand.S("DELETE FROM clientes WHERE id = ?", id) }

// change calls a function with a client, and returns the client before and after it.
func (t clients) change(ctx context.Context, id int32, change func(*Cliente) error) (before, after *Cliente, err error) {
	if after, err = t.Get(ctx, id); err != nil {
		return nil, nil, err
	}
	c := *after
	c.Veiculos = slices.Clone(c.Veiculos)
	return &c, after, change(after)
}

// List is the store without a redundant table.
type List struct{ Clientes ListClientes }

// OpenList returns the store of a session.
func OpenList(db byhand.DB) *List { return &List{ListClientes{clients{db}}} }

// ListClientes reads and writes clients.
type ListClientes struct{ clients }

// Insert writes a client.
func (t ListClientes) Insert(ctx context.Context, c *Cliente) error { return t.Exec(ctx, insertion(c)) }

// SetNome changes the name of a client.
func (t ListClientes) SetNome(ctx context.Context, id int32, name string) error {
	return t.setName(ctx, id, name)
}

// AppendVeiculos adds a vehicle.
func (t ListClientes) AppendVeiculos(ctx context.Context, id int32, v Veiculo) error {
	return t.Exec(ctx, byhand.S("UPDATE clientes SET veiculos = veiculos + ? WHERE id = ?", []Veiculo{v}, id))
}

// Update reads a client, calls a function with it, and writes and returns the result.
func (t ListClientes) Update(ctx context.Context, id int32, change func(*Cliente) error) (*Cliente, error) {
	_, after, err := t.change(ctx, id, change)
	if err != nil {
		return nil, err
	}
	return after, t.Exec(ctx, insertion(after))
}

// Delete deletes a client.
func (t ListClientes) Delete(ctx context.Context, id int32) error { return t.Exec(ctx, deletion(id)) }
