// Package fromvehicle has the store whose vehicles refer to their client.
package fromvehicle

import (
	"context"

	"github.com/cassaml/cassaml/integration/bench/byhand"
	"github.com/cassaml/cassaml/integration/bench/byhand/referenced"
)

// Veiculo is a vehicle.
type Veiculo struct {
	Placa     string
	Cor       string
	ClienteID int32
}

// Store is the store.
type Store struct {
	Clientes referenced.Clientes
	Veiculos Veiculos
}

// Open returns the store of a session.
func Open(db byhand.DB) *Store {
	return &Store{referenced.Clientes{DB: db}, Veiculos{referenced.Veiculos{DB: db}}}
}

// Veiculos reads and writes vehicles.
type Veiculos struct{ referenced.Veiculos }

// Get reads a vehicle.
func (t Veiculos) Get(ctx context.Context, plate string) (*Veiculo, error) {
	var v Veiculo
	if err := t.Row(ctx, byhand.S("SELECT placa, cor, cliente_id FROM veiculos WHERE placa = ?", plate), &v.Placa, &v.Cor, &v.ClienteID); err != nil {
		return nil, err
	}
	return &v, nil
}

// Insert writes a vehicle.
func (t Veiculos) Insert(ctx context.Context, v *Veiculo) error {
	return t.Exec(ctx, byhand.S("INSERT INTO veiculos (placa, cor, cliente_id) VALUES (?, ?, ?)", v.Placa, v.Cor, v.ClienteID))
}

// SetClienteID changes the client of a vehicle.
func (t Veiculos) SetClienteID(ctx context.Context, plate string, id int32) error {
	return t.Exec(ctx, byhand.S("UPDATE veiculos SET cliente_id = ? WHERE placa = ?", id, plate))
}
