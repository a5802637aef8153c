// Package schemachange is for programs that create tables while other programs may create them, too: it has table IDs, the
// agreement of the nodes on the schema, and the error of a table that does not exist yet.
//
//	package main
//
//	import (
//		"context"
//		"log"
//
//		"github.com/gocql/gocql"
//		"github.com/scylladb/gocqlx/v2"
//
//		"github.com/cassaml/cassaml/internal/schemachange"
//		"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
//	)
//
//	func main() {
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace = "shop"
//		session, err := gocqlx.WrapSession(cluster.CreateSession())
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		create := "CREATE TABLE IF NOT EXISTS tasks (id int PRIMARY KEY) WITH ID = " + schemachange.TableID("shop.tasks").String()
//		if err := session.Session.Query(create).Exec(); err != nil {
//			log.Fatal(err)
//		}
//		nodes := schemachange.Nodes{Session: gocqldriver.New(session)}
//		if _, err := nodes.Agree(context.Background()); err != nil {
//			log.Fatal(err)
//		}
//	}
package schemachange
