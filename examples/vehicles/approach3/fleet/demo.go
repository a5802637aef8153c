package fleet

import (
	"context"
	_ "embed"
	"slices"

	"github.com/cassaml/cassaml/examples/internal/show"
	"github.com/cassaml/cassaml/mapper"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Demo is the published experiment, and the sale of a vehicle.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	joao := &Cliente{ID: 1, Nome: "João Silva", Emails: []string{"joao@exemplo.br"}, Telefones: []string{"+55 81 99999-0001"},
		Veiculos: []Veiculo{{Placa: "ABC1234", Cor: "Azul"}, {Placa: "DEF5678", Cor: "Preto"}}}
	maria := &Cliente{ID: 2, Nome: "Maria Souza", Emails: []string{"maria@exemplo.br"}, Telefones: []string{"+55 81 99999-0002"},
		Veiculos: []Veiculo{{Placa: "GHI9012", Cor: "Vermelho"}, {Placa: "JKL3456", Cor: "Branco"}}}
	s.Step("insert client 1: its row and those of its vehicles in one logged batch, all or nothing", func() error {
		return store.Clientes.Insert(ctx, joao)
	})
	s.Step("insert client 2", func() error { return store.Clientes.Insert(ctx, maria) })
	s.Step("read client 1 with its vehicles: one query", func() error {
		c, err := store.Clientes.Get(ctx, 1)
		if err != nil {
			return err
		}
		s.Printf("client %d, %s", c.ID, c.Nome)
		for _, v := range c.Veiculos {
			s.Printf("has %s, %s", v.Placa, v.Cor)
		}
		return nil
	})
	s.Step("read vehicle GHI9012 with its owner: one query", showVehicle(ctx, s, store, "GHI9012"))
	s.Step("rename client 1: the owner in the row of each of its vehicles is updated in the same batch", func() error {
		_, err := store.Clientes.Update(ctx, 1, func(c *Cliente) error { c.Nome = "João da Silva"; return nil })
		return err
	})
	s.Tables(ctx, "clientes", "veiculos")
	sell(ctx, s, store)
	s.Tables(ctx, "clientes", "veiculos")
	return s.Err()
}

// sell moves DEF5678 from client 1 to client 2: two aggregates, so two batches. Between them the vehicle has no owner. The
// other order would leave a client with a vehicle that has no row: the second batch would delete the row that the first batch
// has written, because the plate is the complete key.
func sell(ctx context.Context, s *show.Stage, store *Store) {
	s.Step("first, remove DEF5678 from client 1", func() error {
		_, err := store.Clientes.Update(ctx, 1, func(c *Cliente) error {
			c.Veiculos = slices.DeleteFunc(c.Veiculos, func(v Veiculo) bool { return v.Placa == "DEF5678" })
			return nil
		})
		return err
	})
	s.Step("now it has no owner", func() error {
		_, err := store.Veiculos.Get(ctx, "DEF5678")
		return s.Refused(err, mapper.ErrNotFound)
	})
	s.Step("add it to client 2", func() error {
		_, err := store.Clientes.Update(ctx, 2, func(c *Cliente) error {
			c.Veiculos = append(c.Veiculos, Veiculo{Placa: "DEF5678", Cor: "Preto"})
			return nil
		})
		return err
	})
	s.Step("read it with its new owner", showVehicle(ctx, s, store, "DEF5678"))
}

// showVehicle reads a vehicle and prints it with its owner.
func showVehicle(ctx context.Context, s *show.Stage, store *Store, plate string) func() error {
	return func() error {
		v, err := store.Veiculos.Get(ctx, plate)
		if err != nil {
			return err
		}
		s.Printf("vehicle %s, %s, of client %d, %s", v.Placa, v.Cor, v.Cliente.ID, v.Cliente.Nome)
		return nil
	}
}
