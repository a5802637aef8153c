package followers

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
)

var holders = flag.Int("holders", 200, "the number of invoices that follow")

// After each round all invoices have the last name, whoever has let them follow.
func TestRun(t *testing.T) {
	session := cassandra.Keyspace(t)
	cluster := cassandra.Test(t).Cluster()
	cluster.Keyspace = session.Session.Query("").Keyspace()
	results, err := Run(t.Context(), cluster, Config{Holders: *holders, Stores: []int{1, 2}, Rounds: 1, Progress: os.Stderr})
	require.NoError(t, err)
	require.Len(t, results, 2)
	t.Log("\n" + Table(results))
	var name string
	rows := session.Session.Query("SELECT payer_name FROM invoices").Iter()
	n := 0
	for ; rows.Scan(&name); n++ {
		require.Equal(t, "store 0", name)
	}
	require.NoError(t, rows.Close())
	require.Equal(t, *holders, n)
	for _, r := range results {
		require.Positive(t, r.Ratio)
		require.Less(t, r.Heap, uint64(64<<20))
	}
}
