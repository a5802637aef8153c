// Package peer has the order of package order in the form for each peer of the mapper: for gocqlx, for gocql with cql
// tags or with methods for its UDTs, and for Apache's driver with cql tags.
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
