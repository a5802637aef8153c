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

// Demo is the published experiment.
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
	s.Step("read vehicle GHI9012: one query, whose result does not contain the owner", func() error {
		v, err := store.Veiculos.Get(ctx, "GHI9012")
		if err != nil {
			return err
		}
		s.Printf("vehicle %s is %s", v.Placa, v.Cor)
		return nil
	})
	s.Step("rename client 1: no vehicle contains the name, so one table is written", func() error {
		_, err := store.Clientes.Update(ctx, 1, func(c *Cliente) error { c.Nome = "João da Silva"; return nil })
		return err
	})
	s.Step("a new plate for JKL3456: its old row is deleted and a new one is inserted, in the batch that changes the client", func() error {
		_, err := store.Clientes.Update(ctx, 2, func(c *Cliente) error { c.Veiculos[1].Placa = "JKL3D56"; return nil })
		return err
	})
	s.Tables(ctx, "clientes", "veiculos")
	s.Step("delete client 1: the rows of its vehicles are deleted with it", func() error { return store.Clientes.Delete(ctx, 1) })
	s.Tables(ctx, "clientes", "veiculos")
	return s.Err()
}
