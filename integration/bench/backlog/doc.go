// Package backlog measures reads and saves of a queue through which many tasks have gone. A task is a part of the queue: a call of Update puts
// a batch of tasks after the last one, and another call completes them, by one deletion of a range or by one deletion for each task. The
// deleted rows stay in the partition of the queue for gc_grace_seconds. So a read of a queue without a head row becomes slower with each task.
//
// After each tenth of the tasks, Get and Update of the queue are compared with Get and Update of another queue, whose partition has only its
// head row. Update changes a value of the queue, and no task. The calls of both queues follow one another, so that the ratio holds on a
// machine that is not idle. There is a run for each way to complete tasks, and for each state of the table:
//
//   - as it is: the server writes the table to disk and compacts it when it chooses to;
//   - flushed: the table is written to disk before each measurement, and never compacted;
//   - compacted: the table is written to disk and compacted to one file before each measurement.
//
// A figure is the median of the calls.
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
//		"github.com/cassaml/cassaml/integration/bench/backlog"
//	)
//
//	func main() {
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace = "bench" // an empty one
//		session, err := gocqlx.WrapSession(cluster.CreateSession())
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		config := backlog.Config{Tasks: 1_000_000, Batch: 100, Samples: 300, Progress: os.Stderr}
//		results, err := backlog.Run(context.Background(), session, config, backlog.Variants(nil)[0])
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Print(backlog.Table(results))
//	}
package backlog
