package fleet

import (
	"context"
	_ "embed"

	"github.com/cassaml/cassaml/examples/internal/show"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Demo is the published experiment, with the vehicles of a client by their plates.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	joao := &Cliente{ID: 1, Nome: "João Silva", Emails: []string{"joao@exemplo.br"}, Telefones: []string{"+55 81 99999-0001"},
		Veiculos: byPlate(Veiculo{Placa: "ABC1234", Cor: "Azul"}, Veiculo{Placa: "DEF5678", Cor: "Preto"})}
	maria := &Cliente{ID: 2, Nome: "Maria Souza", Emails: []string{"maria@exemplo.br"}, Telefones: []string{"+55 81 99999-0002"},
		Veiculos: byPlate(Veiculo{Placa: "GHI9012", Cor: "Vermelho"}, Veiculo{Placa: "JKL3456", Cor: "Branco"})}
	s.Step("insert client 1 with its vehicles: one write of one row", func() error { return store.Clientes.Insert(ctx, joao) })
	s.Step("insert client 2 with its vehicles", func() error { return store.Clientes.Insert(ctx, maria) })
	s.Step("read client 1: one query reads the complete aggregate, a vehicle is found by its plate", func() error {
		c, err := store.Clientes.Get(ctx, 1)
		if err != nil {
			return err
		}
		s.Printf("client %d, %s, has %d vehicles; DEF5678 is %s", c.ID, c.Nome, len(c.Veiculos), c.Veiculos["DEF5678"].Cor)
		return nil
	})
	s.Step("recolour ABC1234 and add MNO7890: the other vehicle is not written", func() error {
		_, err := store.Clientes.Update(ctx, 1, func(c *Cliente) error {
			c.Veiculos["ABC1234"] = Veiculo{Placa: "ABC1234", Cor: "Verde"}
			c.Veiculos["MNO7890"] = Veiculo{Placa: "MNO7890", Cor: "Prata"}
			return nil
		})
		return err
	})
	s.Step("client 2 sells JKL3456", func() error {
		_, err := store.Clientes.Update(ctx, 2, func(c *Cliente) error {
			delete(c.Veiculos, "JKL3456")
			return nil
		})
		return err
	})
	s.Tables(ctx, "clientes")
	s.Step("delete client 2: its vehicles are deleted with it", func() error { return store.Clientes.Delete(ctx, 2) })
	s.Tables(ctx, "clientes")
	return s.Err()
}

// byPlate returns the map of a client's vehicles.
func byPlate(vehicles ...Veiculo) map[string]Veiculo {
	out := map[string]Veiculo{}
	for _, v := range vehicles {
		out[v.Placa] = v
	}
	return out
}
