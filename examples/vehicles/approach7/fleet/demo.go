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

// Demo is the published experiment.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	joao, maria := int32(1), int32(2)
	s.Step("insert two clients", func() error {
		if err := store.Clientes.Insert(ctx, &Cliente{ID: joao, Nome: "João Silva"}); err != nil {
			return err
		}
		return store.Clientes.Insert(ctx, &Cliente{ID: maria, Nome: "Maria Souza"})
	})
	s.Step("insert four vehicles with the key of their client", func() error {
		for _, v := range []*Veiculo{
			{Placa: "ABC1234", Cor: "Azul", IDCliente: &joao}, {Placa: "DEF5678", Cor: "Preto", IDCliente: &joao},
			{Placa: "GHI9012", Cor: "Vermelho", IDCliente: &maria}, {Placa: "JKL3456", Cor: "Branco", IDCliente: &maria},
		} {
			if err := store.Veiculos.Insert(ctx, v); err != nil {
				return err
			}
		}
		return nil
	})
	s.Step("read a vehicle, and then its client: the second read", showOwner(ctx, s, store, "ABC1234"))
	s.Step("rename client 1: one row, regardless of the number of its vehicles", func() error {
		return store.Clientes.SetNome(ctx, joao, "João da Silva")
	})
	s.Step("client 2 sells JKL3456 to client 1: one column, without a read", func() error {
		return store.Veiculos.SetIDCliente(ctx, "JKL3456", &joao)
	})
	s.Step("it has one owner, the new one", showOwner(ctx, s, store, "JKL3456"))
	s.Tables(ctx, "clientes", "veiculos")
	orphan(ctx, s, store, maria)
	s.Tables(ctx, "clientes", "veiculos")
	return s.Err()
}

// orphan leaves a vehicle without its client: the plain form does not check. With `checked`, as in package approach7checked, the
// deletion of the client sets the key to null.
func orphan(ctx context.Context, s *show.Stage, store *Store, client int32) {
	s.Step("delete client 2 without changing its vehicle: there is no error", func() error { return store.Clientes.Delete(ctx, client) })
	s.Step("vehicle GHI9012 refers to a deleted client", func() error {
		return s.Refused(showOwner(ctx, s, store, "GHI9012")(), mapper.ErrNotFound)
	})
	s.Step("the application has to clean up", func() error { return store.Veiculos.SetIDCliente(ctx, "GHI9012", nil) })
}

// showOwner reads a vehicle, and then the client that it refers to.
func showOwner(ctx context.Context, s *show.Stage, store *Store, plate string) func() error {
	return func() error {
		v, err := store.Veiculos.Get(ctx, plate)
		if err != nil {
			return err
		}
		s.Printf("vehicle %s refers to client %d", v.Placa, *v.IDCliente)
		c, err := store.Veiculos.FollowCliente(ctx, v)
		if err != nil {
			return err
		}
		s.Printf("client %d is %s", c.ID, c.Nome)
		return nil
	}
}
