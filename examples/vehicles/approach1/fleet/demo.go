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
	s.Step("insert client 1 with its vehicles: one write of one row", func() error { return store.Clientes.Insert(ctx, joao) })
	s.Step("insert client 2 with its vehicles", func() error { return store.Clientes.Insert(ctx, maria) })
	s.Step("read client 1: one query reads the complete aggregate", func() error {
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
	s.Step("rename client 1 and recolour one of its vehicles: both or neither; the list is written as a whole", func() error {
		_, err := store.Clientes.Update(ctx, 1, func(c *Cliente) error {
			c.Nome = "João da Silva"
			c.Veiculos[0].Cor = "Verde"
			return nil
		})
		return err
	})
	s.Step("client 2 sells JKL3456: the list is written without it", func() error {
		_, err := store.Clientes.Update(ctx, 2, func(c *Cliente) error {
			c.Veiculos = c.Veiculos[:1]
			return nil
		})
		return err
	})
	s.Tables(ctx, "clientes")
	s.Step("delete client 2: its vehicles are deleted with it", func() error { return store.Clientes.Delete(ctx, 2) })
	s.Tables(ctx, "clientes")
	return s.Err()
}
