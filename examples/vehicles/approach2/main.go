// Approach2 runs approach 2: a client with its vehicles in one row, and a redundant table of the vehicles.
// It is one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// Both are read in one query each. A change of a vehicle is a write of two tables, which is sent as one logged batch and so is
// never left incomplete; a change of a column that only the client's row has is one statement.
//
//	go run ./examples/vehicles/approach2
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach2/fleet"
)

func main() { example.Main("approach2", fleet.Schema, fleet.Demo) }
