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
	joao, maria := Proprietario{ID: 1, Nome: "João Silva"}, Proprietario{ID: 2, Nome: "Maria Souza"}
	s.Step("insert four vehicles: each with its client's row in one logged batch, all or nothing", func() error {
		for _, v := range []*Veiculo{
			{Placa: "ABC1234", Cor: "Azul", Cliente: joao}, {Placa: "DEF5678", Cor: "Preto", Cliente: joao},
			{Placa: "GHI9012", Cor: "Vermelho", Cliente: maria}, {Placa: "JKL3456", Cor: "Branco", Cliente: maria},
		} {
			if err := store.Veiculos.Insert(ctx, v); err != nil {
				return err
			}
		}
		return nil
	})
	s.Tables(ctx, "veiculos", "clientes")
	s.Step("read a vehicle with its client: one query", func() error {
		v, err := store.Veiculos.Get(ctx, "GHI9012")
		if err != nil {
			return err
		}
		s.Printf("vehicle %s, %s, of client %d, %s", v.Placa, v.Cor, v.Cliente.ID, v.Cliente.Nome)
		return nil
	})
	s.Step("read a client: one query, whose result does not contain its vehicles", func() error {
		c, err := store.Clientes.Get(ctx, 2)
		if err != nil {
			return err
		}
		s.Printf("client %d is %s", c.ID, c.Nome)
		return nil
	})
	s.Step("recolour a vehicle: the client is not touched", func() error { return store.Veiculos.SetCor(ctx, "ABC1234", "Verde") })
	rename(ctx, s, store)
	s.Step("delete both vehicles of client 2: its row is shared, so it is not deleted with a vehicle", func() error {
		if err := store.Veiculos.Delete(ctx, "GHI9012"); err != nil {
			return err
		}
		return store.Veiculos.Delete(ctx, "JKL3456")
	})
	s.Tables(ctx, "veiculos", "clientes")
	return s.Err()
}

// rename changes the name of client 1, which the application has to do: it has to find all vehicles of the client, and the
// writes are not one batch.
func rename(ctx context.Context, s *show.Stage, store *Store) {
	renamed := func(v *Veiculo) error { v.Cliente.Nome = "João da Silva"; return nil }
	s.Step("client 1 is renamed in one of its vehicles: the client's row is updated", func() error {
		_, err := store.Veiculos.Update(ctx, "ABC1234", renamed)
		return err
	})
	s.Step("the other vehicle is stale until the application has written it", func() error {
		v, err := store.Veiculos.Get(ctx, "DEF5678")
		if err != nil {
			return err
		}
		c, err := store.Clientes.Get(ctx, 1)
		if err != nil {
			return err
		}
		s.Printf("vehicle %s has %s, the client's row has %s", v.Placa, v.Cliente.Nome, c.Nome)
		return nil
	})
	s.Step("the application's loop reads every vehicle and writes those of the client", func() error {
		plates, err := queryPlates(ctx, s, 1)
		if err != nil {
			return err
		}
		for _, plate := range plates {
			if _, err := store.Veiculos.Update(ctx, plate, renamed); err != nil {
				return err
			}
		}
		return nil
	})
	s.Tables(ctx, "veiculos", "clientes")
}

// queryPlates reads the complete table with the driver: no key has the vehicles of a client, so the store has no method for this
// query.
func queryPlates(ctx context.Context, s *show.Stage, client int32) ([]string, error) {
	rows := s.Session.Session.Query("SELECT placa, cliente.id FROM veiculos").WithContext(ctx).Iter()
	var found []string
	var plate string
	var owner int32
	for rows.Scan(&plate, &owner) {
		if owner == client {
			found = append(found, plate)
		}
	}
	return found, rows.Close()
}
