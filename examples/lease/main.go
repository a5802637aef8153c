// Lease runs a leader election: one process at a time holds a lock, whose row vanishes by itself if the process dies.
//
//	go run ./examples/lease
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/lease/leader"
)

func main() { example.Main("lease", leader.Schema, leader.Demo) }
