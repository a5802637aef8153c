package main

import (
	"context"
	"fmt"
	"io"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/examples/quickstart/fleet"
)

// step is one thing that a service asks of its store.
type step struct {
	title string
	call  string // as Go source
	do    func(context.Context, *fleet.Store, io.Writer) error
}

// steps is the published experiment with the published sample data.
func steps() []step {
	joao := &fleet.Cliente{
		ID: 1, Nome: "João Silva", Emails: []string{"joao@exemplo.br"}, Telefones: []string{"+55 81 99999-0001"},
		Veiculos: []fleet.Veiculo{{Placa: "ABC1234", Cor: "Azul"}, {Placa: "DEF5678", Cor: "Preto"}},
	}
	maria := &fleet.Cliente{
		ID: 2, Nome: "Maria Souza", Emails: []string{"maria@exemplo.br"}, Telefones: []string{"+55 81 99999-0002"},
		Veiculos: []fleet.Veiculo{{Placa: "GHI9012", Cor: "Vermelho"}, {Placa: "JKL3456", Cor: "Branco"}},
	}
	return []step{
		{"insert client 1 with two vehicles", `store.Clientes.Insert(ctx, joao)`, insert(joao)},
		{"insert client 2 with two vehicles", `store.Clientes.Insert(ctx, maria)`, insert(maria)},
		{"read by client", `store.Clientes.Get(ctx, 1)`, readClient(1)},
		{"read by plate: the owner comes with it", `store.Veiculos.Get(ctx, "GHI9012")`, readPlate("GHI9012")},
		{"add a vehicle", `store.Clientes.Update(ctx, 1, append MNO7890)`, update(1, func(c *fleet.Cliente) {
			c.Veiculos = append(c.Veiculos, fleet.Veiculo{Placa: "MNO7890", Cor: "Prata"})
		})},
		{"recolour a vehicle", `store.Clientes.Update(ctx, 1, ABC1234 becomes Verde)`, update(1, func(c *fleet.Cliente) {
			c.Veiculos[0].Cor = "Verde"
		})},
		{"rename the client: the owner in each vehicle's row follows", `store.Clientes.Update(ctx, 1, Nome becomes João da Silva)`,
			update(1, func(c *fleet.Cliente) { c.Nome = "João da Silva" })},
		{"remove a vehicle", `store.Clientes.Update(ctx, 1, without DEF5678)`, update(1, func(c *fleet.Cliente) {
			c.Veiculos = append(c.Veiculos[:1], c.Veiculos[2:]...)
		})},
		{"change a plate, the key of the redundant row", `store.Clientes.Update(ctx, 2, JKL3456 becomes JKL3D56)`, update(2, func(c *fleet.Cliente) {
			c.Veiculos[1].Placa = "JKL3D56"
		})},
		{"delete a client", `store.Clientes.Delete(ctx, 1)`, func(ctx context.Context, s *fleet.Store, _ io.Writer) error {
			return s.Clientes.Delete(ctx, 1)
		}},
	}
}

func insert(c *fleet.Cliente) func(context.Context, *fleet.Store, io.Writer) error {
	return func(ctx context.Context, s *fleet.Store, _ io.Writer) error { return s.Clientes.Insert(ctx, c) }
}

func update(id int32, change func(*fleet.Cliente)) func(context.Context, *fleet.Store, io.Writer) error {
	return func(ctx context.Context, s *fleet.Store, _ io.Writer) error {
		_, err := s.Clientes.Update(ctx, id, func(c *fleet.Cliente) error { change(c); return nil })
		return err
	}
}

func readClient(id int32) func(context.Context, *fleet.Store, io.Writer) error {
	return func(ctx context.Context, s *fleet.Store, out io.Writer) error {
		c, err := s.Clientes.Get(ctx, id)
		if err == nil {
			fmt.Fprintf(out, "  got   client %d, %s, with %d vehicles\n", c.ID, c.Nome, len(c.Veiculos))
		}
		return err
	}
}

func readPlate(plate string) func(context.Context, *fleet.Store, io.Writer) error {
	return func(ctx context.Context, s *fleet.Store, out io.Writer) error {
		v, err := s.Veiculos.Get(ctx, plate)
		if err == nil {
			fmt.Fprintf(out, "  got   vehicle %s, %s, of client %d, %s\n", v.Placa, v.Cor, v.Cliente.ID, v.Cliente.Nome)
		}
		return err
	}
}

// story runs steps against one store and keeps the picture of what is in its tables.
type story struct {
	store   *fleet.Store
	session gocqlx.Session
	sent    *recorder
	out     io.Writer
}

// run does one step, shows it and checks both tables.
func (s *story) run(ctx context.Context, number int, step step) error {
	fmt.Fprintf(s.out, "\n== %d. %s\n  asked %s\n", number, step.title, step.call)
	s.sent.reset()
	if err := step.do(ctx, s.store, s.out); err != nil {
		return err
	}
	s.sent.show(s.out)
	clients, err := readClients(ctx, s.session.Session)
	if err != nil {
		return err
	}
	vehicles, err := readVehicles(ctx, s.session.Session)
	if err != nil {
		return err
	}
	if err := showTables(s.out, clients, vehicles); err != nil {
		return err
	}
	return compare(expected(clients), vehicles)
}
