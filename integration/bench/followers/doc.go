// Package followers measures a fan-out: the name of a customer is changed, and all its invoices, which have copies of it, follow. FanOut of a store
// is compared with code that is written by hand, and sends the same statements with as many in flight: for each invoice a serial read of it and of its
// customer, a conditional UPDATE, and the INSERT of the version in the table of versions. In each round both let all invoices follow once.
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
//
//		"github.com/cassaml/cassaml/integration/bench/followers"
//	)
//
//	func main() {
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace = "bench" // an empty one
//		config := followers.Config{Holders: 20_000, Stores: []int{1, 4}, Rounds: 3, Progress: os.Stderr}
//		results, err := followers.Run(context.Background(), cluster, config)
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Print(followers.Table(results))
//	}
package followers
