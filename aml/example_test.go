package aml_test

import (
	"context"
	"fmt"
	"log"

	"github.com/cassaml/cassaml/aml"
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// A model is a package of structs with markers and tags. The tool derives the schema from its source.
func Example() {
	type Vehicle struct {
		Plate string `aml:",required"`
		Color string
	}
	type Customer struct {
		aml.Aggregate `aml:"customers"`

		ID       int32     `aml:"id,identifier"`
		Name     string    `aml:"name,required"`
		Vehicles []Vehicle `aml:"vehicles,composition,max=20"`
	}
	fmt.Println(Customer{ID: 7, Name: "Ana", Vehicles: []Vehicle{{Plate: "ABC1234"}}}.Vehicles) // ordinary structs

	p, err := load.Load(context.Background(), "load/testdata/shop") // the folder of the model
	if err != nil {
		log.Fatal(err)
	}
	m, _ := model.Build(p)
	fmt.Print(schema.New(m).CQL())
	// Output:
	// [{ABC1234 }]
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
