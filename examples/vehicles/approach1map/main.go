// Approach1map runs approach 1, with a map in place of the list.
// It is one of the eight ways to store a 1:N relationship that were compared on Apache Cassandra with models in AML
// (Araújo, 2025).
//
// One query reads the aggregate and one write of one row stores it; a change of one vehicle does not write the others. Package
// fleet describes the strengths and the costs.
//
//	go run ./examples/vehicles/approach1map
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/vehicles/approach1map/fleet"
)

func main() { example.Main("approach1map", fleet.Schema, fleet.Demo) }
