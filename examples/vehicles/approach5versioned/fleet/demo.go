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

// Demo is the published experiment, with the client as the source of its name.
func Demo(ctx context.Context, s *show.Stage) error {
	s.Config.Lease = 1 // a saved client is old enough for FanOut at once
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	s.Step("insert a vehicle of a client that does not exist: refused", func() error {
		s.Printf("%v", store.Veiculos.Insert(ctx, &Veiculo{Placa: "ABC1234", Cor: "Azul", Cliente: Proprietario{ID: 1}}))
		return nil
	})
	s.Step("insert the client and two vehicles: the store sets the name, also over another", func() error {
		if err := store.Clientes.Insert(ctx, &Cliente{ID: 1, Nome: "João Silva"}); err != nil {
			return err
		}
		for _, v := range []*Veiculo{
			{Placa: "ABC1234", Cor: "Azul", Cliente: Proprietario{ID: 1}}, {Placa: "DEF5678", Cor: "Preto", Cliente: Proprietario{ID: 1, Nome: "Zé"}},
		} {
			if err := store.Veiculos.Insert(ctx, v); err != nil {
				return err
			}
			s.Printf("vehicle %s, %s, of client %d, %s", v.Placa, v.Cor, v.Cliente.ID, v.Cliente.Nome)
		}
		return nil
	})
	s.Step("rename the client: both vehicles follow before the call returns", func() error { return rename(ctx, store, "João da Silva") })
	s.Tables(ctx, "veiculos", "clientes")
	s.Step("a process that ends before the vehicles follow leaves them to FanOut of any process", func() error { return resume(ctx, s) })
	s.Step("delete the client, which has vehicles: refused", func() error {
		s.Printf("%v", store.Clientes.Delete(ctx, 1))
		return nil
	})
	s.Tables(ctx, "veiculos", "clientes", "aml_outboxes")
	return s.Err()
}

func rename(ctx context.Context, store *Store, name string) error {
	_, err := store.Clientes.Update(ctx, 1, func(c *Cliente) error { c.Nome = name; return nil })
	return err
}

// resume renames the client with a store that lets no vehicle follow, as if its process had died, and then lets them follow.
func resume(ctx context.Context, s *show.Stage) error {
	config := s.Config
	config.FanOutInline = -1
	store, err := Open(ctx, s.Session, config)
	if err != nil {
		return err
	}
	if err := rename(ctx, store, "João Souza"); err != nil {
		return err
	}
	for _, when := range []string{"before", "after"} {
		v, err := store.Veiculos.Get(ctx, "DEF5678")
		if err != nil {
			return err
		}
		s.Printf("%s FanOut: vehicle %s of %s", when, v.Placa, v.Cliente.Nome)
		if err := store.FanOut(ctx, mapper.FanOutConfig{}); err != nil {
			return err
		}
	}
	return nil
}
