// Approach3 runs approach 3: a client with its vehicles in one row, and a redundant table of the vehicles with their owner.
// It is one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// Both directions are read in one query each. A change is a write of two tables, one logged batch that is never left
// incomplete, with a row for every vehicle that it changes. The quickstart uses the same approach in the way of a service, with
// migrations and limits of its collections; this program uses the published tables and sells a vehicle.
//
//	go run ./examples/vehicles/approach3
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach3/fleet"
)

func main() { example.Main("approach3", fleet.Schema, fleet.Demo) }
