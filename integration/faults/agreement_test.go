package faults

import (
	"testing"
	"time"

	apache "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/internal/substitute"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/apachedriver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// While a node is down, each driver waits after a schema change until MaxWaitSchemaAgreement, and then returns no error. Answered is called
// before the wait. AwaitSchemaAgreement of both returns an error.
func testSchemaChangesWithANodeDown(t *testing.T, cluster *cassandra.Cluster) {
	const longest = 2 * time.Second
	session, err := cluster.Session(t.Context(), "agreement", 3)
	require.NoError(t, err)
	defer session.Close()
	older, newer := gocql.NewCluster(cluster.Hosts()[:2]...), apache.NewCluster(cluster.Hosts()[:2]...)
	older.Keyspace, older.Timeout, older.MaxWaitSchemaAgreement = "agreement", 30*time.Second, longest
	newer.Keyspace, newer.Timeout, newer.MaxWaitSchemaAgreement = "agreement", 30*time.Second, longest
	a, err := gocqlx.WrapSession(older.CreateSession())
	require.NoError(t, err)
	defer a.Close()
	substitute.Set(a.Session, nil)
	b, err := newer.CreateSession()
	require.NoError(t, err)
	defer b.Close()

	require.NoError(t, cluster.Kill(t.Context(), 2))
	for name, s := range map[string]driver.Session{"gocql": gocqldriver.New(a), "apache": apachedriver.New(b)} {
		for _, cql := range []string{"CREATE TABLE t_" + name + " (p int PRIMARY KEY)", "ALTER TABLE t_" + name + " ADD v int"} {
			var answered time.Time
			err := s.Query(t.Context(), driver.Query{CQL: cql, Answered: func() { answered = time.Now() }}).Close()
			waited := time.Since(answered)
			require.NoError(t, err, name)
			require.GreaterOrEqual(t, waited, longest, name)
		}
	}
	require.ErrorContains(t, a.AwaitSchemaAgreement(t.Context()), "cluster schema versions not consistent")
	require.ErrorContains(t, b.AwaitSchemaAgreement(t.Context()), "cluster schema versions not consistent")
	require.NoError(t, cluster.Restart(t.Context(), 2))
}
