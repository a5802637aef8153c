// Approach7 runs approach 7: a vehicle with the key of its client.
// It is one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// The client of a vehicle is a second read. An orphan, a key without a row, is possible, and the program creates one. The
// option that prevents it, checked, is in approach7checked.
//
//	go run ./examples/vehicles/approach7
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach7/fleet"
)

func main() { example.Main("approach7", fleet.Schema, fleet.Demo) }
