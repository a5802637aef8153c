// Package node measures the cost of a mapper against a server: processor time of the client by getrusage, allocations and their
// bytes, round trips by the frames that the driver receives, latency and throughput, with 1 and with 32 operations in flight.
//
// All variants share a session of gocql, or of Apache's driver for "cassaml-apache" and "apache", whose WriteCoalesceWaitTime is 0 (gocql's default of 200 microseconds adds a millisecond to
// each request of an idle client). Each worker writes its own rows repeatedly.
//
//   - insert is a row of twelve columns in one table.
//   - update changes one column of it. The caller has the old value; nothing is read.
//   - write4 is the row in four tables, as one logged batch.
//   - get reads a row by its primary key.
//   - page reads the 100 rows of a partition.
//   - first reads the first row of that partition, with LIMIT 1.
//   - many reads these 100 rows by their keys, with one request each. The variant gets sends one Get after the other; the peers have 16
//     goroutines.
//   - merge reads the first 20 rows of ten partitions in their common order: with OfEach, and by hand with IN, ORDER BY and LIMIT.
//     The variant together reads them with Together.
//
// They are the variants of package codec, each from the public call to its return: for cassaml a method of the store, with
// checks, tracing and repetition; for gocqlx and gocql a query on the session, released after use (a batch for write4, which gocqlx
// binds and gocql executes). cassaml-apache is cassaml on a session of Apache's driver, in version 5 of the protocol, and apache is that
// driver with the code of gocql. The floor sends the statements of hand-written gocql with prepared bytes, and lets the
// iterator locate the values of a row without decoding them. In "floor, limited" each statement has the time limit of a call of a
// store; "floor, each" sends one request for each partition of a merge.
//
// VersionedLoads returns the work on versioned aggregates, which is compared with hand-written code whose statements gocqlx binds.
// Change saves an account, whose last version the worker has, with its two copies. Update reads the account first, and starts again if
// another writer has saved it. Claim writes a new member with an email that no other member has.
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
//		"github.com/cassaml/cassaml/integration/bench/measure"
//		"github.com/cassaml/cassaml/integration/bench/node"
//	)
//
//	func main() {
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace = "bench" // an empty one
//		cluster.WriteCoalesceWaitTime = 0
//		client, err := node.Connect(context.Background(), cluster)
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer client.Close()
//		results, err := measure.RunLoads(client.Loads(1, 32), measure.Config{})
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, r := range results {
//			fmt.Printf("%+v\n", r)
//		}
//	}
package node
