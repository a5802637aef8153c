// Package reverse writes the model of an existing keyspace: Go structs with aml tags from which the same types and tables are
// derived. Everything that the language does not support is reported.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/gocql/gocql"
//		"github.com/scylladb/gocqlx/v2"
//
//		"github.com/cassaml/cassaml/migrate/reverse"
//		"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
//		"github.com/cassaml/cassaml/migrate/catalog"
//	)
//
//	func main() {
//		session, err := gocqlx.WrapSession(gocql.NewCluster("127.0.0.1").CreateSession())
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		keyspace, err := catalog.Inspect(context.Background(), gocqldriver.New(session), "shop")
//		if err != nil {
//			log.Fatal(err)
//		}
//		m, err := reverse.Adopt(keyspace, reverse.Config{Package: "shop"})
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, gap := range m.Gaps {
//			fmt.Fprintln(os.Stderr, gap)
//		}
//		if err := os.WriteFile("model.go", m.Source, 0o644); err != nil {
//			log.Fatal(err)
//		}
//	}
package reverse
