// Approach3versioned runs approach 3 with an optimistic lock: a client with its vehicles in one row, a redundant table of the
// vehicles with their owner, and plates that no two clients share.
// It is a variant of one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// A vehicle that is sold has to be removed from its client before another client can have it: the other order is refused.
//
//	go run ./examples/vehicles/approach3versioned
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach3versioned/fleet"
)

func main() { example.Main("approach3versioned", fleet.Schema, fleet.Demo) }
