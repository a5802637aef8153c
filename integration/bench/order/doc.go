// Package order is the model that package bench measures: a row of twelve columns, including a UDT and a list of UDTs, with
// a partition key and two clustering columns, and three copies of it with other keys.
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//
//		"github.com/cassaml/cassaml/integration/bench/order"
//		"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
//	)
//
//	func main() {
//		statements, err := order.InsertAll(gocqldriver.Values, order.Sample(), 1_790_000_000_000_000)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, s := range statements {
//			fmt.Println(s.CQL, len(s.Args))
//		}
//	}
package order
