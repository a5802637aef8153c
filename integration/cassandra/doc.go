// Package cassandra provides a real Cassandra server for tests, examples and development. It uses the first way that works:
//
//  1. CASSANDRA_HOSTS, comma-separated host[:port]: running servers.
//  2. A Docker engine answers: a container of the official image, one for each process.
//  3. Java 17 or 11 and Maven: the server itself, from the Maven artifact org.apache.cassandra:cassandra-all, as a
//     process on 127.0.0.1 and free ports. All processes of a user share one, until it has
//     many tables: then the next process starts another. A server ends when the last of them has
//     ended or was killed. Its data is not kept.
//
// The second and third way start Cassandra 5.0.8. CASSANDRA_VERSION sets another version; 4.1.10 and 5.0.9 are also tested:
//
//	CASSANDRA_VERSION=4.1.10 go test ./integration/...
//
// Cassandra 4.1 is supported on Java 8 and 11. A Java 11 of JAVA11_HOME, JAVA_HOME, PATH or the folders of usual packages is used for it,
// in this order; without one, Java 17, which the log reports. A test that needs 5.0 calls [Requires].
//
// If none works, [Start] returns a [*NoServerError], a line that lists the three; tests are then skipped, or fail
// if AML_REQUIRE_CASSANDRA=1.
//
// A test needs one call, which returns a session in a separate keyspace that exists until the test ends. [Tables] returns one in a
// keyspace with empty tables:
//
//	func TestCustomers(t *testing.T) {
//		session := cassandra.Keyspace(t)
//		require.NoError(t, session.ExecStmt("CREATE TABLE customers (id uuid PRIMARY KEY, name text)"))
//	}
//
// A test of the failure of a node uses a cluster of three nodes, always by the third way and never shared:
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
// The nodes can be in several data centres: StartCluster(t, "dc1", "dc1", "dc2"). A test of permissions uses [StartRoles].
//
// A program starts a server, or shares a running one:
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
// A server that it starts has the default limits and guardrails (a batch warns at 5 KiB and fails at 50 KiB), longer
// time-outs, and materialized views, SASI indexes and functions enabled. It is configured to start fast and to run for
// minutes; [Config] has Keep to keep data, and Optimize for measurements. The jars of the third way are fetched once into
// [os.UserCacheDir]/cassaml. The first start takes a few seconds longer, because Java archives the classes of the server there;
// later starts are faster. A running server is in [os.TempDir]/cassaml-UID, and its logs are kept there after a failure of
// its start or of a test. Kept data is next to the jars.
package cassandra
