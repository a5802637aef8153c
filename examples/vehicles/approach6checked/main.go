// Approach6checked runs approach 6 with checked references: a client with the keys of its vehicles, each of which exists.
// It is a variant of one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// The orphan that the program of approach 6 leaves is refused here: a vehicle that a client refers to is not deleted.
//
//	go run ./examples/vehicles/approach6checked
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach6checked/fleet"
)

func main() { example.Main("approach6checked", fleet.Schema, fleet.Demo) }
