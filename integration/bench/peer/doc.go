// Package peer has the order of package order as one writes it for the mapper's peers: gocqlx, and gocql by hand with cql
// tags or with methods for its UDTs.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/integration/bench/order"
//		"github.com/cassaml/cassaml/integration/bench/peer"
//	)
//
//	func main() {
//		o := order.Sample()
//		fmt.Println(peer.NewTagged(o).Arguments(0)...)
//		fmt.Println(peer.Tables()[0].Insert())
//		fmt.Println(peer.NewGocqlx(o).Address.City)
//	}
package peer
