// Traces runs an index of spans whose partitions are divided into buckets. Package index has the model.
//
//	go run ./examples/traces
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/traces/index"
)

func main() { example.Main("traces", index.Schema, index.Demo) }
