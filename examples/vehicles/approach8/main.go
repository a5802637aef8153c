// Approach8 runs approach 8: a table of pairs between clients and vehicles, and the same pairs from the other side.
// It is one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// It is the approach for N:M: a vehicle can belong to several clients, and both sides find their pairs in one query. A pair is
// written to two tables, in one logged batch.
//
//	go run ./examples/vehicles/approach8
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach8/fleet"
)

func main() { example.Main("approach8", fleet.Schema, fleet.Demo) }
