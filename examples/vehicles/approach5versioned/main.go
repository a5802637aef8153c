// Approach5versioned runs approach 5 with the client as the source: a vehicle with its client in one row, which follows the client.
// It is a variant of one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// The rows that diverge in the program of approach 5 follow here: the name of a client is changed in one place. A vehicle of a client that does
// not exist is refused, and so is the deletion of a client with vehicles.
//
//	go run ./examples/vehicles/approach5versioned
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach5versioned/fleet"
)

func main() { example.Main("approach5versioned", fleet.Schema, fleet.Demo) }
