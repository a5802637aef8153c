package embedded

import (
	"context"
	"slices"

	"github.com/cassaml/cassaml/integration/bench/byhand"
)

func hasPlate(all []Veiculo, plate string) bool {
	return slices.ContainsFunc(all, func(v Veiculo) bool { return v.Placa == plate })
}

func deletionByPlate(v Veiculo) byhand.Statement {
	return byhand.S("DELETE FROM veiculos_by_placa WHERE placa = ?", v.Placa)
}

// Partial is the store with a redundant table of vehicles.
type Partial struct{ Clientes PartialClientes }

// OpenPartial returns the store of a session.
func OpenPartial(db byhand.DB) *Partial { return &Partial{PartialClientes{clients{db}}} }

// PartialClientes reads and writes clients.
type PartialClientes struct{ clients }

func (t PartialClientes) rows(c *Cliente) []byhand.Statement {
	out := []byhand.Statement{insertion(c)}
	for _, v := range c.Veiculos {
		out = append(out, byhand.S("INSERT INTO veiculos_by_placa (placa, cor) VALUES (?, ?)", v.Placa, v.Cor))
	}
	return out
}

// Insert writes a client and the rows of its vehicles.
func (t PartialClientes) Insert(ctx context.Context, c *Cliente) error {
	return t.Batch(ctx, t.rows(c))
}

// Update reads a client, calls a function with it, and writes and returns the result.
func (t PartialClientes) Update(ctx context.Context, id int32, change func(*Cliente) error) (*Cliente, error) {
	before, after, err := t.change(ctx, id, change)
	if err != nil {
		return nil, err
	}
	all := t.rows(after)
	for _, v := range before.Veiculos {
		if !hasPlate(after.Veiculos, v.Placa) {
			all = append(all, deletionByPlate(v))
		}
	}
	return after, t.Batch(ctx, all)
}

// SetNome changes the name of a client.
func (t PartialClientes) SetNome(ctx context.Context, id int32, name string) error {
	return t.setName(ctx, id, name)
}

// Delete deletes a client and the rows of its vehicles.
func (t PartialClientes) Delete(ctx context.Context, id int32) error {
	c, err := t.Get(ctx, id)
	if err != nil {
		return err
	}
	all := []byhand.Statement{deletion(id)}
	for _, v := range c.Veiculos {
		all = append(all, deletionByPlate(v))
	}
	return t.Batch(ctx, all)
}

// Total is the store with a redundant table of vehicles with their clients.
type Total struct {
	Clientes        TotalClientes
	VeiculosByPlaca VeiculosByPlaca
}

// OpenTotal returns the store of a session.
func OpenTotal(db byhand.DB) *Total {
	return &Total{TotalClientes{clients{db}, VeiculosByPlaca{db}}, VeiculosByPlaca{db}}
}

// VeiculoByPlaca is a vehicle with its client.
type VeiculoByPlaca struct {
	Placa   string
	Cor     string
	Cliente ClienteOfVeiculo
}

// ClienteOfVeiculo is the client of a vehicle.
type ClienteOfVeiculo struct {
	ID   int32  `cql:"id"`
	Nome string `cql:"nome"`
}

// VeiculosByPlaca reads vehicles.
type VeiculosByPlaca struct{ byhand.DB }

// Get reads a vehicle with its client.
func (t VeiculosByPlaca) Get(ctx context.Context, plate string) (*VeiculoByPlaca, error) {
	var v VeiculoByPlaca
	s := byhand.S("SELECT placa, cor, cliente FROM veiculos_by_placa WHERE placa = ?", plate)
	if err := t.Row(ctx, s, &v.Placa, &v.Cor, &v.Cliente); err != nil {
		return nil, err
	}
	return &v, nil
}

// TotalClientes reads and writes clients.
type TotalClientes struct {
	clients
	vehicles VeiculosByPlaca
}

func (t TotalClientes) row(c *Cliente, v Veiculo) byhand.Statement {
	return byhand.S("INSERT INTO veiculos_by_placa (placa, cor, cliente) VALUES (?, ?, ?)", v.Placa, v.Cor, ClienteOfVeiculo{c.ID, c.Nome})
}

// Insert writes a client and the rows of its vehicles.
func (t TotalClientes) Insert(ctx context.Context, c *Cliente) error {
	all := []byhand.Statement{insertion(c)}
	for _, v := range c.Veiculos {
		all = append(all, t.row(c, v))
	}
	return t.Batch(ctx, all)
}

// Update reads a client, calls a function with it, and writes and returns the result.
func (t TotalClientes) Update(ctx context.Context, id int32, change func(*Cliente) error) (*Cliente, error) {
	before, after, err := t.change(ctx, id, change)
	if err != nil {
		return nil, err
	}
	all := []byhand.Statement{insertion(after)}
	for _, v := range after.Veiculos {
		switch {
		case !hasPlate(before.Veiculos, v.Placa):
			all = append(all, t.row(after, v))
		case before.Nome != after.Nome:
			all = append(all, byhand.S("UPDATE veiculos_by_placa SET cliente.id = ?, cliente.nome = ? WHERE placa = ?", after.ID, after.Nome, v.Placa))
		default:
			all = append(all, byhand.S("INSERT INTO veiculos_by_placa (placa, cor) VALUES (?, ?)", v.Placa, v.Cor))
		}
	}
	for _, v := range before.Veiculos {
		if hasPlate(after.Veiculos, v.Placa) {
			continue
		}
		if all, err = t.removed(ctx, all, after, v); err != nil {
			return nil, err
		}
	}
	return after, t.Batch(ctx, all)
}

// removed reads the row of a vehicle that a client no longer has, and returns the statements with its deletion, or
// without it if another client has the vehicle.
func (t TotalClientes) removed(ctx context.Context, all []byhand.Statement, c *Cliente, v Veiculo) ([]byhand.Statement, error) {
	row, err := t.vehicles.Get(ctx, v.Placa)
	if err != nil {
		return nil, err
	}
	if row.Cliente.ID == c.ID {
		all = append(all, deletionByPlate(v))
	}
	return all, nil
}

// Delete deletes a client and the rows of its vehicles.
func (t TotalClientes) Delete(ctx context.Context, id int32) error {
	c, err := t.Get(ctx, id)
	if err != nil {
		return err
	}
	all := []byhand.Statement{deletion(id)}
	for _, v := range c.Veiculos {
		if all, err = t.removed(ctx, all, c, v); err != nil {
			return err
		}
	}
	return t.Batch(ctx, all)
}
