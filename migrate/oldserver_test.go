package migrate

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Before anything is applied, Up refuses all pending statements that need Cassandra 5.0. It reads the versions of the nodes only if there is one.
func TestUpRefusesWhatAnOldServerLacks(t *testing.T) {
	files := cqlFiles("0001_first.cql", "CREATE a;", "0002_second.cql", "CREATE b;\nALTER TABLE t WITH allow_auto_snapshot = true;\nCREATE TYPE u (v vector<float, 3>)")
	db := newFake()
	db.cassandra = "4.1.10"
	err := db.up(t, t.Context(), files, Config{})
	require.EqualError(t, err, "migrate: node 10.0.0.1 runs Cassandra 4.1.10, and these statements need Cassandra 5.0: 0002_second.cql:2: the property allow_auto_snapshot; "+
		"0002_second.cql:3: vectors: upgrade every node first, or change the files; nothing was applied")
	require.NotContains(t, db.took(), "exec CREATE a")
	require.NotContains(t, db.took(), "take")

	db.cassandra = "5.0.8"
	require.NoError(t, db.up(t, t.Context(), files, Config{}))
	db.cassandra = "4.1.10"
	require.NoError(t, db.up(t, t.Context(), files, Config{}), "the statements are applied")
}
