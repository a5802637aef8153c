package fleet

import (
	"context"
	_ "embed"
	"slices"

	"github.com/cassaml/cassaml/examples/internal/show"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Demo is the published experiment, with references that are checked.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	s.Step("insert two vehicles", func() error {
		for _, v := range []*Veiculo{{Placa: "ABC1234", Cor: "Azul"}, {Placa: "GHI9012", Cor: "Vermelho"}} {
			if err := store.Veiculos.Insert(ctx, v); err != nil {
				return err
			}
		}
		return nil
	})
	maria := &Cliente{ID: 2, Nome: "Maria Souza", VeiculosIDs: []string{"GHI9012", "XYZ0000"}}
	s.Step("insert a client with the plate of a vehicle that does not exist: refused", func() error {
		s.Printf("%v", store.Clientes.Insert(ctx, maria))
		return nil
	})
	s.Step("insert it with the plate of its vehicle", func() error {
		maria.VeiculosIDs = []string{"GHI9012"}
		return store.Clientes.Insert(ctx, maria)
	})
	s.Step("delete GHI9012 without changing the client that refers to it: refused", func() error {
		s.Printf("%v", store.Veiculos.Delete(ctx, "GHI9012"))
		return nil
	})
	s.Step("delete it after the client has given it up", func() error {
		if err := dropPlate(ctx, store, 2, "GHI9012"); err != nil {
			return err
		}
		return store.Veiculos.Delete(ctx, "GHI9012")
	})
	s.Tables(ctx, "veiculos", "clientes", "clientes__veiculos_ids_refs")
	return s.Err()
}

func dropPlate(ctx context.Context, store *Store, client int32, plate string) error {
	_, err := store.Clientes.Update(ctx, client, func(c *Cliente) error {
		c.VeiculosIDs = slices.DeleteFunc(c.VeiculosIDs, func(p string) bool { return p == plate })
		return nil
	})
	return err
}
