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
	s.Step("insert four vehicles", func() error {
		for _, v := range []*Veiculo{{Placa: "ABC1234", Cor: "Azul"}, {Placa: "DEF5678", Cor: "Preto"},
			{Placa: "GHI9012", Cor: "Vermelho"}, {Placa: "JKL3456", Cor: "Branco"}} {
			if err := store.Veiculos.Insert(ctx, v); err != nil {
				return err
			}
		}
		return nil
	})
	s.Step("insert two clients with the plates of their vehicles", func() error {
		if err := store.Clientes.Insert(ctx, &Cliente{ID: 1, Nome: "João Silva", VeiculosIDs: []string{"ABC1234", "DEF5678"}}); err != nil {
			return err
		}
		return store.Clientes.Insert(ctx, &Cliente{ID: 2, Nome: "Maria Souza", VeiculosIDs: []string{"GHI9012", "JKL3456"}})
	})
	s.Step("read client 1, and then its vehicles: the second read", showClient(ctx, s, store, 1))
	s.Step("recolour a vehicle: one row, and no client is touched", func() error {
		return store.Veiculos.SetCor(ctx, "ABC1234", "Verde")
	})
	s.Step("client 2 sells JKL3456 to client 1: an element of two rows, in one logged batch without a read", func() error {
		b := store.Batch()
		b.Clientes.RemoveVeiculosIDs(2, "JKL3456")
		b.Clientes.AddVeiculosIDs(1, "JKL3456")
		return b.Run(ctx)
	})
	s.Tables(ctx, "clientes", "veiculos")
	orphan(ctx, s, store)
	s.Tables(ctx, "clientes", "veiculos")
	return s.Err()
}

// orphan leaves a plate without a vehicle: the plain form does not check. With `checked`, as in package approach6checked, a
// vehicle that a client refers to cannot be deleted.
func orphan(ctx context.Context, s *show.Stage, store *Store) {
	s.Step("delete GHI9012 without changing the client that refers to it: there is no error", func() error {
		return store.Veiculos.Delete(ctx, "GHI9012")
	})
	s.Step("client 2 refers to a deleted vehicle", func() error {
		return s.Refused(showClient(ctx, s, store, 2)(), mapper.ErrNotFound)
	})
	s.Step("the application has to clean up", func() error { return store.Clientes.RemoveVeiculosIDs(ctx, 2, "GHI9012") })
}

// showClient reads a client, and then the vehicles that it refers to, at the same time.
func showClient(ctx context.Context, s *show.Stage, store *Store, id int32) func() error {
	return func() error {
		c, err := store.Clientes.Get(ctx, id)
		if err != nil {
			return err
		}
		s.Printf("client %d, %s, refers to %v", c.ID, c.Nome, c.VeiculosIDs)
		vehicles, err := store.Clientes.FollowVeiculos(ctx, c)
		if err != nil {
			return err
		}
		for _, v := range vehicles {
			s.Printf("vehicle %s is %s", v.Placa, v.Cor)
		}
		return nil
	}
}
