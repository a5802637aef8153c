// Package store sends planned mutations and reads to a database. [Store] is the interface that a database must implement.
// [CQL] implements it for Cassandra with a driver; package memory has another implementation.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/gocql/gocql"
//		"github.com/scylladb/gocqlx/v2"
//
//		"github.com/cassaml/cassaml/aml/descriptor"
//		"github.com/cassaml/cassaml/aml/projection"
//		"github.com/cassaml/cassaml/mapper/driver"
//		"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
//		"github.com/cassaml/cassaml/mapper/internal/cell"
//		"github.com/cassaml/cassaml/mapper/internal/plan"
//		"github.com/cassaml/cassaml/mapper/internal/store"
//	)
//
//	func main() {
//		session, err := gocqlx.WrapSession(gocql.NewCluster("127.0.0.1").CreateSession())
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		films := descriptor.Table{
//			Name: "films", Partition: 1, Key: 1,
//			Columns: []descriptor.Column{{Name: "id", CQL: "id", Type: "int"}, {Name: "title", CQL: "title", Kind: projection.Regular, Type: "text"}},
//			Select:  "SELECT id, title FROM shop.films",
//			Get:     "SELECT id, title FROM shop.films WHERE id = ?",
//		}
//		db := store.CQL{Session: gocqldriver.New(session)}
//		read := store.Read{Table: (*plan.Table)(&films), Key: cell.Row{{0, 0, 0, 7}}, Consistency: driver.One}
//		for row, err := range db.Rows(context.Background(), read) {
//			fmt.Printf("%s %v\n", row, err)
//		}
//	}
package store
