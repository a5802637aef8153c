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

// Demo is the published experiment, with references that are checked.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	maria := int32(2)
	v := &Veiculo{Placa: "GHI9012", Cor: "Vermelho", IDCliente: &maria}
	s.Step("insert a vehicle of a client that does not exist: refused", func() error {
		s.Printf("%v", store.Veiculos.Insert(ctx, v))
		return nil
	})
	s.Step("insert the client, and then its vehicle", func() error {
		if err := store.Clientes.Insert(ctx, &Cliente{ID: maria, Nome: "Maria Souza"}); err != nil {
			return err
		}
		return store.Veiculos.Insert(ctx, v)
	})
	s.Step("delete the client: its vehicle stays, without an owner", func() error { return store.Clientes.Delete(ctx, maria) })
	s.Step("the vehicle refers to nothing", func() error {
		v, err := store.Veiculos.Get(ctx, "GHI9012")
		if err == nil {
			s.Printf("vehicle %s has no owner: %v", v.Placa, v.IDCliente == nil)
		}
		return err
	})
	s.Tables(ctx, "clientes", "veiculos", "veiculos__id_cliente_refs")
	return s.Err()
}
