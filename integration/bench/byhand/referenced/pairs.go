package referenced

import (
	"context"
	"iter"

	"github.com/cassaml/cassaml/integration/bench/byhand"
)

// Pairs is the store with a table of pairs for each direction.
type Pairs struct {
	Clientes         Clientes
	Veiculos         Veiculos
	ClientesVeiculos ClientesVeiculos
	VeiculosClientes VeiculosClientes
}

// OpenPairs returns the store of a session.
func OpenPairs(db byhand.DB) *Pairs {
	return &Pairs{Clientes{db}, Veiculos{db}, ClientesVeiculos{db}, VeiculosClientes{db}}
}

// ClienteVeiculo is a client with one of its vehicles.
type ClienteVeiculo struct {
	ClienteID    int32
	VeiculoPlaca string
}

// VeiculoCliente is a vehicle with one of its clients.
type VeiculoCliente struct {
	VeiculoPlaca string
	ClienteID    int32
}

// Rows are the rows of a partition.
type Rows[T any] struct {
	byhand.DB
	read byhand.Statement
	scan func(row *T) []any
}

// All returns the rows, page by page.
func (r Rows[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		all := r.Session.Query(r.read.Text, r.read.Values...).WithContext(ctx).Iter()
		for row := new(T); all.Scan(r.scan(row)...); row = new(T) {
			if !yield(row, nil) {
				_ = all.Close() // the reader has ended
				return
			}
		}
		if err := all.Close(); err != nil {
			yield(nil, err)
		}
	}
}

// ClientesVeiculos reads and writes pairs.
type ClientesVeiculos struct{ byhand.DB }

// Of returns the pairs of a client.
func (t ClientesVeiculos) Of(id int32) Rows[ClienteVeiculo] {
	return Rows[ClienteVeiculo]{t.DB, byhand.S("SELECT cliente_id, veiculo_placa FROM clientes_veiculos WHERE cliente_id = ?", id),
		func(row *ClienteVeiculo) []any { return []any{&row.ClienteID, &row.VeiculoPlaca} }}
}

// Get reads a pair.
func (t ClientesVeiculos) Get(ctx context.Context, id int32, plate string) (*ClienteVeiculo, error) {
	var p ClienteVeiculo
	s := byhand.S("SELECT cliente_id, veiculo_placa FROM clientes_veiculos WHERE cliente_id = ? AND veiculo_placa = ?", id, plate)
	if err := t.Row(ctx, s, &p.ClienteID, &p.VeiculoPlaca); err != nil {
		return nil, err
	}
	return &p, nil
}

// Insert writes a pair, in both directions.
func (t ClientesVeiculos) Insert(ctx context.Context, p *ClienteVeiculo) error {
	return t.Batch(ctx, []byhand.Statement{
		byhand.S("INSERT INTO clientes_veiculos (cliente_id, veiculo_placa) VALUES (?, ?)", p.ClienteID, p.VeiculoPlaca),
		byhand.S("INSERT INTO veiculos_clientes (veiculo_placa, cliente_id) VALUES (?, ?)", p.VeiculoPlaca, p.ClienteID),
	})
}

// Delete deletes a pair, in both directions.
func (t ClientesVeiculos) Delete(ctx context.Context, id int32, plate string) error {
	return t.Batch(ctx, []byhand.Statement{
		byhand.S("DELETE FROM clientes_veiculos WHERE cliente_id = ? AND veiculo_placa = ?", id, plate),
		byhand.S("DELETE FROM veiculos_clientes WHERE veiculo_placa = ? AND cliente_id = ?", plate, id),
	})
}

// VeiculosClientes reads pairs by vehicle.
type VeiculosClientes struct{ byhand.DB }

// Of returns the pairs of a vehicle.
func (t VeiculosClientes) Of(plate string) Rows[VeiculoCliente] {
	return Rows[VeiculoCliente]{t.DB, byhand.S("SELECT veiculo_placa, cliente_id FROM veiculos_clientes WHERE veiculo_placa = ?", plate),
		func(row *VeiculoCliente) []any { return []any{&row.VeiculoPlaca, &row.ClienteID} }}
}

// Get reads a pair.
func (t VeiculosClientes) Get(ctx context.Context, plate string, id int32) (*VeiculoCliente, error) {
	var p VeiculoCliente
	s := byhand.S("SELECT veiculo_placa, cliente_id FROM veiculos_clientes WHERE veiculo_placa = ? AND cliente_id = ?", plate, id)
	if err := t.Row(ctx, s, &p.VeiculoPlaca, &p.ClienteID); err != nil {
		return nil, err
	}
	return &p, nil
}
