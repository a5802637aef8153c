// Approach1 runs approach 1: a client with its vehicles in one row.
// It is one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// One query reads the aggregate and one write of one row stores it, regardless of the change. Package fleet describes the
// strengths and the costs.
//
//	go run ./examples/vehicles/approach1
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach1/fleet"
)

func main() { example.Main("approach1", fleet.Schema, fleet.Demo) }
