// Package store carries planned mutations and reads to a database. [Store] is the seam: it is all that a
// database behind the mapper has to do. [CQL] is Cassandra, by way of gocql; a test can put its own in place.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/gocql/gocql"
//
//		"github.com/cassaml/cassaml/mapper/internal/store"
//	)
//
//	func main() {
//		session, err := gocql.NewCluster("127.0.0.1").CreateSession()
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		db := store.CQL{Session: session}
//		read := store.Read{
//			Statement:   "SELECT release_version FROM system.local",
//			Columns:     1,
//			Consistency: gocql.One,
//		}
//		for row, err := range db.Rows(context.Background(), read) {
//			fmt.Printf("%s %v\n", row, err)
//		}
//	}
package store
