// Approach2versioned runs approach 2 with an optimistic lock: a client with its vehicles in one row, a redundant table of the
// vehicles, and plates that no two clients share.
// It is a variant of one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// A change is a conditional statement on the client's row, and then one logged batch of its vehicles. Each new plate is claimed
// before, by one more conditional statement. Two writers of one client cannot overwrite each other's change: the second one starts
// over, or is refused if it depends on what it read earlier.
//
//	go run ./examples/vehicles/approach2versioned
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach2versioned/fleet"
)

func main() { example.Main("approach2versioned", fleet.Schema, fleet.Demo) }
