// Package indexbuild waits until all nodes have built the indexes of a table. TRUNCATE stops a build, and the index can then be unreadable
// until it is dropped and created again.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"time"
//
//		"github.com/gocql/gocql"
//		"github.com/scylladb/gocqlx/v2"
//
//		"github.com/cassaml/cassaml/internal/indexbuild"
//		"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
//	)
//
//	func main() {
//		nodes := gocqldriver.NewNodes(nil)
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace, cluster.PoolConfig.HostSelectionPolicy = "shop", nodes
//		session, err := gocqlx.WrapSession(cluster.CreateSession())
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		waiting := func(builds string) { fmt.Println("waiting:", builds) }
//		if err := indexbuild.Await(context.Background(), gocqldriver.New(session, nodes), "orders", time.Minute, waiting); err != nil {
//			log.Fatal(err)
//		}
//	}
package indexbuild
