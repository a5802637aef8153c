// Package conformance holds the backend in memory to what a Cassandra does. Random writes, at equal and older timestamps as
// often as not, are carried out on both, and every cell that is left is compared: its value, its WRITETIME, its TTL, its row.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"strings"
//
//		"github.com/gocql/gocql"
//
//		"github.com/cassaml/cassaml/mapper/memory/conformance"
//	)
//
//	func main() {
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace = "scratch"
//		session, err := cluster.CreateSession()
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		for statement := range strings.Lines(conformance.Schema) {
//			if err := session.Query(statement).Exec(); err != nil {
//				log.Fatal(err)
//			}
//		}
//		report, err := conformance.Check(context.Background(), session, 1, 600)
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(report)
//	}
//
// [Check] writes to tables of its own, [CheckOrder] compares how values of each type are sorted, and a [Pair] compares what a
// generated store does.
package conformance
