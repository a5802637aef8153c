// Approach8unique runs approach 8 with the rule that a vehicle is in at most one pair: a table of pairs with the plate as its key, from which the
// table of the clients is derived.
// It is a variant of one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// The second pair of a vehicle, which the program of approach 8 inserts, is refused.
//
//	go run ./examples/vehicles/approach8unique
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach8unique/fleet"
)

func main() { example.Main("approach8unique", fleet.Schema, fleet.Demo) }
