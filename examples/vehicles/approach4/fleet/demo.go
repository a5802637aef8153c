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

// Demo is the published experiment. Makes, models and years are added to the published vehicles, because the key needs them.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	s.Step("insert four vehicles, each with its client and the country of its make: one write of one row each", func() error {
		for _, v := range vehicles() {
			if err := store.Veiculos.Insert(ctx, v); err != nil {
				return err
			}
		}
		return nil
	})
	s.Step("read a vehicle: one query reads its client as well", func() error {
		v, err := store.Veiculos.Get(ctx, "Fiat", 2018, "ABC1234")
		if err != nil {
			return err
		}
		s.Printf("%s %s %s of %d, made in %s, of client %d, %s", v.Cor, v.Marca, v.Modelo, v.Ano, v.PaisOrigem, v.Cliente.ID, v.Cliente.Nome)
		return nil
	})
	s.Step("read the vehicles of a make since 2019, newest first: one query of one partition", func() error {
		for v, err := range store.Veiculos.Of("Volkswagen").AnoFrom(2019).All(ctx) {
			if err != nil {
				return err
			}
			s.Printf("%d %s %s", v.Ano, v.Placa, v.Modelo)
		}
		return nil
	})
	s.Step("a make's country is static: one write changes it for every row of the partition", func() error {
		return store.Veiculos.SetPaisOrigem(ctx, "Volkswagen", "Brasil")
	})
	s.Tables(ctx, "veiculos")
	rename(ctx, s, store)
	s.Tables(ctx, "veiculos")
	s.Step("delete the vehicles of client 2: the client is not stored any more", func() error {
		if err := store.Veiculos.Delete(ctx, "Fiat", 2021, "GHI9012"); err != nil {
			return err
		}
		return store.Veiculos.Delete(ctx, "Volkswagen", 2022, "JKL3456")
	})
	s.Tables(ctx, "veiculos")
	return s.Err()
}

func vehicles() []*Veiculo {
	joao, maria := Cliente{ID: 1, Nome: "João Silva"}, Cliente{ID: 2, Nome: "Maria Souza"}
	return []*Veiculo{
		{Marca: "Fiat", Ano: 2018, Placa: "ABC1234", Modelo: "Uno", Cor: "Azul", PaisOrigem: "Itália", Cliente: joao},
		{Marca: "Volkswagen", Ano: 2019, Placa: "DEF5678", Modelo: "Gol", Cor: "Preto", PaisOrigem: "Alemanha", Cliente: joao},
		{Marca: "Fiat", Ano: 2021, Placa: "GHI9012", Modelo: "Argo", Cor: "Vermelho", PaisOrigem: "Itália", Cliente: maria},
		{Marca: "Volkswagen", Ano: 2022, Placa: "JKL3456", Modelo: "Polo", Cor: "Branco", PaisOrigem: "Alemanha", Cliente: maria},
	}
}

// rename changes the name of client 1, which the application has to do: no table contains the vehicles of a client, so it reads
// all makes that it knows, and the writes are not one batch.
func rename(ctx context.Context, s *show.Stage, store *Store) {
	s.Step("client 1 is renamed in one of its vehicles", func() error {
		_, err := store.Veiculos.Update(ctx, "Fiat", 2018, "ABC1234", func(v *Veiculo) error { v.Cliente.Nome = "João da Silva"; return nil })
		return err
	})
	s.Step("the others are stale until the application has written them: one client, two names", func() error {
		return forEachVehicle(ctx, store, 1, func(v *Veiculo) error {
			s.Printf("vehicle %s has %s", v.Placa, v.Cliente.Nome)
			return nil
		})
	})
	s.Step("the application's loop over all vehicles finds the stale ones and writes them", func() error {
		return forEachVehicle(ctx, store, 1, func(v *Veiculo) error {
			_, err := store.Veiculos.Update(ctx, v.Marca, v.Ano, v.Placa, func(v *Veiculo) error { v.Cliente.Nome = "João da Silva"; return nil })
			return err
		})
	})
}

// forEachVehicle calls a function for each vehicle of a client, in all makes.
func forEachVehicle(ctx context.Context, store *Store, client int32, do func(*Veiculo) error) error {
	for _, make := range []string{"Fiat", "Volkswagen"} {
		for v, err := range store.Veiculos.Of(make).All(ctx) {
			if err != nil {
				return err
			}
			if v.Cliente.ID != client {
				continue
			}
			if err := do(v); err != nil {
				return err
			}
		}
	}
	return nil
}
