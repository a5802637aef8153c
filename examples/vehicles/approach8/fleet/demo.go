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

// Demo is the published experiment, and a vehicle of two clients.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	s.Step("insert two clients and four vehicles", func() error { return insertEnds(ctx, store) })
	s.Step("insert the pairs: each in both tables, in one logged batch", func() error {
		for _, p := range []*ClienteVeiculo{{IDCliente: 1, Placa: "ABC1234"}, {IDCliente: 1, Placa: "DEF5678"},
			{IDCliente: 2, Placa: "GHI9012"}, {IDCliente: 2, Placa: "JKL3456"}} {
			if err := store.ClientesVeiculos.Insert(ctx, p); err != nil {
				return err
			}
		}
		return nil
	})
	s.Step("client 2 shares ABC1234: N:M", func() error {
		return store.ClientesVeiculos.Insert(ctx, &ClienteVeiculo{IDCliente: 2, Placa: "ABC1234"})
	})
	s.Tables(ctx, "clientes_veiculos", "veiculos_clientes")
	s.Step("from the client: its pairs, and then its vehicles", func() error {
		page, err := store.ClientesVeiculos.Of(2).Page(ctx, "")
		if err != nil {
			return err
		}
		vehicles, err := store.ClientesVeiculos.FollowPlacas(ctx, page.Items)
		for _, v := range vehicles {
			s.Printf("client 2 has %s, %s", v.Placa, v.Cor)
		}
		return err
	})
	s.Step("from the vehicle: its pairs, and then its clients", func() error {
		page, err := store.VeiculosClientes.Of("ABC1234").Page(ctx, "")
		if err != nil {
			return err
		}
		clients, err := store.VeiculosClientes.FollowClientes(ctx, page.Items)
		for _, c := range clients {
			s.Printf("ABC1234 is of client %d, %s", c.ID, c.Nome)
		}
		return err
	})
	s.Step("client 1 no longer has ABC1234: the pair is deleted from both tables, clients and vehicles stay", func() error {
		return store.ClientesVeiculos.Delete(ctx, 1, "ABC1234")
	})
	s.Tables(ctx, "clientes_veiculos", "veiculos_clientes")
	return s.Err()
}

func insertEnds(ctx context.Context, store *Store) error {
	for _, c := range []*Cliente{{ID: 1, Nome: "João Silva"}, {ID: 2, Nome: "Maria Souza"}} {
		if err := store.Clientes.Insert(ctx, c); err != nil {
			return err
		}
	}
	for _, v := range []*Veiculo{{Placa: "ABC1234", Cor: "Azul"}, {Placa: "DEF5678", Cor: "Preto"},
		{Placa: "GHI9012", Cor: "Vermelho"}, {Placa: "JKL3456", Cor: "Branco"}} {
		if err := store.Veiculos.Insert(ctx, v); err != nil {
			return err
		}
	}
	return nil
}
