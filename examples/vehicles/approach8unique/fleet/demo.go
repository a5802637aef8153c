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

// Demo is the published experiment, with the rule that a vehicle is in at most one pair.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	s.Step("insert two clients and a vehicle", func() error {
		for _, c := range []*Cliente{{ID: 1, Nome: "João Silva"}, {ID: 2, Nome: "Maria Souza"}} {
			if err := store.Clientes.Insert(ctx, c); err != nil {
				return err
			}
		}
		return store.Veiculos.Insert(ctx, &Veiculo{Placa: "ABC1234", Cor: "Azul"})
	})
	pair := &VeiculoCliente{Placa: "ABC1234", IDCliente: 1}
	s.Step("insert the pair: the row of the vehicle is a conditional statement, and the row of the client follows", func() error {
		return store.VeiculosClientes.Insert(ctx, pair)
	})
	s.Step("insert a second pair of the vehicle, with client 2: refused", func() error {
		s.Printf("%v", store.VeiculosClientes.Insert(ctx, &VeiculoCliente{Placa: "ABC1234", IDCliente: 2}))
		return nil
	})
	s.Step("client 2 buys the vehicle: the row of the client moves", func() error {
		_, err := store.VeiculosClientes.Update(ctx, "ABC1234", func(p *VeiculoCliente) error { p.IDCliente = 2; return nil })
		return err
	})
	s.Step("read the vehicles of both clients", func() error {
		for id := int32(1); id <= 2; id++ {
			vehicles, err := store.ClientesVeiculos.Of(id).Count(ctx)
			if err != nil {
				return err
			}
			s.Printf("vehicles of client %d: %d", id, vehicles)
		}
		return nil
	})
	s.Tables(ctx, "veiculos_clientes", "clientes_veiculos")
	return s.Err()
}
