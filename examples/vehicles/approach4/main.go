// Approach4 runs approach 4: a vehicle with its client in one row.
// It is one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// One query reads a vehicle with its client and one write of one row stores both. A change of the client is left to the
// application: the program shows the stale vehicles, and the loop that finds and writes them.
//
//	go run ./examples/vehicles/approach4
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach4/fleet"
)

func main() { example.Main("approach4", fleet.Schema, fleet.Demo) }
