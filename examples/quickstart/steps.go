package main

import (
	"context"
	"fmt"
	"io"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/examples/quickstart/shop"
)

// step is one call of a service to its store.
type step struct {
	title string
	call  string // Go source of the call
	do    func(context.Context, *shop.Store, io.Writer) error
}

// steps are the calls for two customers.
func steps() []step {
	ana := &shop.Customer{ID: gocql.UUID{15: 1}, Name: "Ana Lima", Vehicles: []shop.Vehicle{{Plate: "ABC1234", Color: "blue"}, {Plate: "DEF5678", Color: "black"}}}
	rui := &shop.Customer{ID: gocql.UUID{15: 2}, Name: "Rui Costa", Vehicles: []shop.Vehicle{{Plate: "GHI9012", Color: "red"}, {Plate: "JKL3456", Color: "white"}}}
	return []step{
		{"Ana signs up with two vehicles", `store.Customers.Insert(ctx, ana)`, insert(ana)},
		{"Rui signs up with two vehicles", `store.Customers.Insert(ctx, rui)`, insert(rui)},
		{"Ana looks at her vehicles", `store.Customers.Get(ctx, ana.ID)`, readCustomer(ana.ID)},
		{"a mechanic reads a plate: the owner comes with it", `store.Vehicles.Get(ctx, "GHI9012")`, readPlate("GHI9012")},
		{"Ana buys a vehicle", `store.Customers.Update(ctx, ana.ID, append MNO7890)`, update(ana.ID, func(c *shop.Customer) {
			c.Vehicles = append(c.Vehicles, shop.Vehicle{Plate: "MNO7890", Color: "silver"})
		})},
		{"Ana has a vehicle painted", `store.Customers.Update(ctx, ana.ID, ABC1234 becomes green)`, update(ana.ID, func(c *shop.Customer) {
			c.Vehicles[0].Color = "green"
		})},
		{"Ana changes her name: the owner in each vehicle's row follows", `store.Customers.Update(ctx, ana.ID, Name becomes Ana Lima Costa)`,
			update(ana.ID, func(c *shop.Customer) { c.Name = "Ana Lima Costa" })},
		{"Ana sells a vehicle", `store.Customers.Update(ctx, ana.ID, without DEF5678)`, update(ana.ID, func(c *shop.Customer) {
			c.Vehicles = append(c.Vehicles[:1], c.Vehicles[2:]...)
		})},
		{"Rui gets a new plate, the key of the redundant row", `store.Customers.Update(ctx, rui.ID, JKL3456 becomes JKL3D56)`, update(rui.ID, func(c *shop.Customer) {
			c.Vehicles[1].Plate = "JKL3D56"
		})},
		{"Ana leaves", `store.Customers.Delete(ctx, ana.ID)`, func(ctx context.Context, s *shop.Store, _ io.Writer) error {
			return s.Customers.Delete(ctx, ana.ID)
		}},
	}
}

func insert(c *shop.Customer) func(context.Context, *shop.Store, io.Writer) error {
	return func(ctx context.Context, s *shop.Store, _ io.Writer) error { return s.Customers.Insert(ctx, c) }
}

func update(id gocql.UUID, change func(*shop.Customer)) func(context.Context, *shop.Store, io.Writer) error {
	return func(ctx context.Context, s *shop.Store, _ io.Writer) error {
		_, err := s.Customers.Update(ctx, id, func(c *shop.Customer) error { change(c); return nil })
		return err
	}
}

func readCustomer(id gocql.UUID) func(context.Context, *shop.Store, io.Writer) error {
	return func(ctx context.Context, s *shop.Store, out io.Writer) error {
		c, err := s.Customers.Get(ctx, id)
		if err == nil {
			fmt.Fprintf(out, "  got   customer %s, %s, with %d vehicles\n", c.ID, c.Name, len(c.Vehicles))
		}
		return err
	}
}

func readPlate(plate string) func(context.Context, *shop.Store, io.Writer) error {
	return func(ctx context.Context, s *shop.Store, out io.Writer) error {
		v, err := s.Vehicles.Get(ctx, plate)
		if err == nil {
			fmt.Fprintf(out, "  got   vehicle %s, %s, of customer %s, %s\n", v.Plate, v.Color, v.Owner.ID, v.Owner.Name)
		}
		return err
	}
}

// tour runs steps on one store.
type tour struct {
	store   *shop.Store
	session gocqlx.Session
	sent    *recorder
	out     io.Writer
}

// run does one step, prints it and checks both tables.
func (s *tour) run(ctx context.Context, number int, step step) error {
	fmt.Fprintf(s.out, "\n== %d. %s\n  asked %s\n", number, step.title, step.call)
	s.sent.reset()
	if err := step.do(ctx, s.store, s.out); err != nil {
		return err
	}
	s.sent.show(s.out)
	customers, err := readCustomers(ctx, s.session.Session)
	if err != nil {
		return err
	}
	vehicles, err := readVehicles(ctx, s.session.Session)
	if err != nil {
		return err
	}
	if err := showTables(s.out, customers, vehicles); err != nil {
		return err
	}
	return compare(expected(customers), vehicles)
}
