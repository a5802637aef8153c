package schema_test

import (
	"context"
	"fmt"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// shop returns the schema of the model in aml/load/testdata/shop.
func shop() *schema.Schema {
	p, err := load.Load(context.Background(), "../load/testdata/shop")
	if err != nil {
		panic(err)
	}
	m, faults := model.Build(p)
	if model.Refused(faults) {
		panic(faults)
	}
	return schema.New(m)
}

func ExampleNew() {
	fmt.Print(shop().CQL())
	// Output:
	// CREATE TYPE IF NOT EXISTS vehicle (
	//     plate text,
	//     color text
	// );
	//
	// CREATE TABLE IF NOT EXISTS customers (
	//     id int PRIMARY KEY,
	//     name text,
	//     vehicles list<frozen<vehicle>>
	// );
	//
	// CREATE TABLE IF NOT EXISTS vehicles_by_plate (
	//     plate text PRIMARY KEY,
	//     owner text
	// );
}

// This example prints which rows of the copy a change of the source affects.
func ExampleProjection_Effect() {
	s := shop()
	customers, vehicles := s.Tables[0], s.Tables[1]
	copied := s.ProjectionTo(vehicles)
	for _, c := range customers.Columns {
		e := copied.Effect(c)
		fmt.Printf("%s: rows can appear and go %t, cells %d\n", c.Name, e.Exists, len(e.Cells))
	}
	// Output:
	// id: rows can appear and go false, cells 0
	// name: rows can appear and go false, cells 1
	// vehicles: rows can appear and go true, cells 0
}

func ExampleTable_Settable() {
	customers := shop().Tables[0]
	for _, c := range customers.Columns {
		fmt.Printf("%s: %s\n", c.Name, customers.Settable(c))
	}
	// Output:
	// id: the key of a row cannot change
	// name: the rows of vehicles_by_plate also depend on Vehicles
	// vehicles: it determines which rows vehicles_by_plate has
}
