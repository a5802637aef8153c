// Package reconciling measures a run of Reconcile that finds nothing, in relation to a scan of the same tables by gocql: the same
// token ranges, the same number of them at a time, each row once, into Go variables.
//
//   - near is a plain root whose redundant table has the same partitions.
//   - versioned is the same with a version, and so with done-markers.
//   - elsewhere is a plain root with two redundant tables in other partitions, which are compared by sums. Processes that share a
//     run read each row of them by its key for the row of the root, and the root of each of their rows.
//
// The rows are written with CQL. A figure is the time of the fastest round. The heap is the largest size of all objects, with those that
// the garbage collector has not freed yet. With several processes, each is a child process of the command, and reads as many slices
// at a time as one process alone.
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
//		"github.com/cassaml/cassaml/integration/bench/reconciling"
//	)
//
//	func main() {
//		if reconciling.IsChild() {
//			log.Fatal(reconciling.Child(context.Background()))
//		}
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace = "bench" // an empty one
//		config := reconciling.Config{Sizes: []int{10_000}, Processes: []int{1, 2}, Rounds: 3, Progress: os.Stderr}
//		results, err := reconciling.Run(context.Background(), cluster, config)
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Print(reconciling.Table(results))
//	}
package reconciling
