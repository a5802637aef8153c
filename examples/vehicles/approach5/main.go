// Approach5 runs approach 5: a vehicle with its client in one row, and a redundant table of the clients.
// It is one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// Both are read in one query each. Any vehicle inserts its client's row, in one logged batch with its own, and none deletes it.
// A change of the client is left to the application: the program shows the stale copy, and the loop that updates it.
//
//	go run ./examples/vehicles/approach5
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach5/fleet"
)

func main() { example.Main("approach5", fleet.Schema, fleet.Demo) }
