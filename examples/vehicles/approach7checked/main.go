// Approach7checked runs approach 7 with checked references: a vehicle with the key of its client, which exists.
// It is a variant of one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// The orphan that the program of approach 7 leaves cannot be written here: the deletion of a client clears the key in its vehicles.
//
//	go run ./examples/vehicles/approach7checked
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach7checked/fleet"
)

func main() { example.Main("approach7checked", fleet.Schema, fleet.Demo) }
