// Approach6 runs approach 6: a client with the keys of its vehicles.
// It is one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// The vehicles of a client are a second read. An orphan, a key without a row, is possible, and the program creates one. The
// option that prevents it, checked, is in approach6checked.
//
//	go run ./examples/vehicles/approach6
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach6/fleet"
)

func main() { example.Main("approach6", fleet.Schema, fleet.Demo) }
