package fleet

import (
	"context"
	_ "embed"

	"github.com/cassaml/cassaml/examples/internal/show"
	"github.com/cassaml/cassaml/mapper"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Demo is the published experiment, a plate that belongs to another client, and two clerks who change one client.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	joao := &Cliente{ID: 1, Nome: "João Silva", Emails: []string{"joao@exemplo.br"}, Telefones: []string{"+55 81 99999-0001"},
		Veiculos: []Veiculo{{Placa: "ABC1234", Cor: "Azul"}, {Placa: "DEF5678", Cor: "Preto"}}}
	maria := &Cliente{ID: 2, Nome: "Maria Souza", Emails: []string{"maria@exemplo.br"}, Telefones: []string{"+55 81 99999-0002"},
		Veiculos: []Veiculo{{Placa: "GHI9012", Cor: "Vermelho"}, {Placa: "JKL3456", Cor: "Branco"}}}
	s.Step("insert client 1: its plates are claimed, its row is inserted if there is none, its vehicles follow in one logged batch", func() error {
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
	s.Step("a new plate for JKL3456: it is claimed before the client is changed, and the old one is released afterwards", func() error {
		_, err := store.Clientes.Update(ctx, 2, func(c *Cliente) error { c.Veiculos[1].Placa = "JKL3D56"; return nil })
		return err
	})
	s.Step("client 2 cannot have a plate of client 1: nothing is written", func() error {
		_, err := store.Clientes.Update(ctx, 2, func(c *Cliente) error { c.Veiculos[0].Placa = "ABC1234"; return nil })
		return show.RefusedAs[*mapper.DuplicateError](s, err)
	})
	clerks(ctx, s, store)
	s.Tables(ctx, "clientes", "veiculos", "clientes__veiculos_placa_unique")
	s.Step("delete client 1: the rows of its vehicles are deleted with it, and its plates are released", func() error {
		return store.Clientes.Delete(ctx, 1)
	})
	s.Tables(ctx, "clientes", "veiculos", "clientes__veiculos_placa_unique")
	s.Step("now client 2 can have ABC1234", func() error {
		_, err := store.Clientes.Update(ctx, 2, func(c *Cliente) error { c.Veiculos[0].Placa = "ABC1234"; return nil })
		return err
	})
	return s.Err()
}

// clerks changes client 1 twice from one version: both clerks have opened the same form.
func clerks(ctx context.Context, s *show.Stage, store *Store) {
	var form *Cliente
	s.Step("two clerks open the form of client 1", func() (err error) {
		form, err = store.Clientes.Get(ctx, 1)
		return err
	})
	s.Step("the first clerk saves it: the form has the version, so nothing is read", func() error {
		saved := *form
		saved.Nome = "João da Silva"
		return store.Clientes.Change(ctx, form, &saved)
	})
	s.Step("the second clerk is refused, and must open the form again", func() error {
		saved := *form
		saved.Nome = "João S. Silva"
		return s.Refused(store.Clientes.Change(ctx, form, &saved), mapper.ErrConflict)
	})
}
