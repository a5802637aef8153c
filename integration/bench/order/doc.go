// Package order is the model that package bench measures: a row of twelve columns, one of them a UDT and one a list of
// UDTs, under a key of a partition key and two clustering columns, and three copies of it under other keys.
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//
//		"github.com/cassaml/cassaml/integration/bench/order"
//	)
//
//	func main() {
//		statements, err := order.InsertAll(order.Sample(), 1_790_000_000_000_000)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, s := range statements {
//			fmt.Println(s.Stmt, len(s.Args))
//		}
//	}
package order
