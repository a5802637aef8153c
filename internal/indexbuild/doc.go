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
//
//		"github.com/cassaml/cassaml/internal/indexbuild"
//	)
//
//	func main() {
//		nodes := indexbuild.NewNodes()
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace, cluster.PoolConfig.HostSelectionPolicy = "shop", nodes
//		session, err := cluster.CreateSession()
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		waiting := func(builds string) { fmt.Println("waiting:", builds) }
//		if err := nodes.Await(context.Background(), session, "orders", time.Minute, waiting); err != nil {
//			log.Fatal(err)
//		}
//	}
package indexbuild
