// Package cassandra gives tests, examples and development a real Cassandra server. It takes the first way that works:
//
//  1. CASSANDRA_HOSTS, comma-separated host[:port], names servers that run already.
//  2. A Docker engine answers: a container of the official image, one for each process.
//  3. Java 17 or 11 and Maven: the server itself, from the Maven artifact org.apache.cassandra:cassandra-all, as a
//     process on 127.0.0.1 and free ports. All processes of a user share one; it ends by itself when the last of
//     them is gone, also when that one was killed. Nothing it stored is kept.
//
// The second and third way start Cassandra 5.0.8. CASSANDRA_VERSION names another version; 5.0.9 is tested, too:
//
//	CASSANDRA_VERSION=5.0.9 go test ./integration/...
//
// Without any of them [Start] returns a [*NoServerError], a line that names the three; tests are then skipped, or fail
// when AML_REQUIRE_CASSANDRA=1.
//
// A test needs one call, which gives it a keyspace of its own until it ends. [Tables] gives it one with tables, emptied:
//
//	func TestCustomers(t *testing.T) {
//		session := cassandra.Keyspace(t)
//		require.NoError(t, session.ExecStmt("CREATE TABLE customers (id uuid PRIMARY KEY, name text)"))
//	}
//
// A test of what happens when a node dies has a cluster of three, always by the third way and never shared:
//
//	func TestNodeDies(t *testing.T) {
//		cluster := cassandra.StartCluster(t)
//		session, err := cluster.Session(t.Context(), "shop", 3)
//		require.NoError(t, err)
//		defer session.Close()
//		require.NoError(t, cluster.Kill(t.Context(), 1))
//		require.NoError(t, session.ExecStmt("CREATE TABLE customers (id uuid PRIMARY KEY, name text)"))
//		require.NoError(t, cluster.Restart(t.Context(), 1))
//	}
//
// A program starts a server, or shares the one that runs:
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/cassaml/cassaml/integration/cassandra"
//	)
//
//	func main() {
//		ctx := context.Background()
//		server, err := cassandra.Start(ctx, cassandra.Config{Log: os.Stderr})
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer server.Close()
//		session, err := server.Keyspace(ctx, "shop")
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		fmt.Println("shop is served by", server.Hosts())
//	}
//
// Of a server that it starts, limits and guardrails are those of a stock one (a batch warns at 5 KiB and fails at 50
// KiB), time-outs are longer, and materialized views, SASI indexes and functions are switched on. It is configured to start
// fast and to run for minutes; [Config] has Keep for data that stays, and Optimize for a server to measure. The jars of the third
// way are fetched once into [os.UserCacheDir]/cassaml; a running server is in [os.TempDir]/cassaml-UID, and its logs
// stay there when a start or a test failed. Data that is kept is beside the jars.
package cassandra
