package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/sorted"
	"github.com/cassaml/cassaml/integration/storetest"
)

// traceID is a tracer that keeps the identifier of a request.
type traceID []byte

// Trace keeps the identifier.
func (t *traceID) Trace(id []byte) { *t = id }

// A DELETE with a relation of several columns writes one range tombstone, as one of a single column does: a read passes its two ends.
func TestDeleteOfSeveralColumnsIsOneRange(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, sorted.Schema).Session
	for i, where := range []string{"at > 1 AND at <= 3", "(at, number) > (1, 1) AND (at, number) <= (3, 1)"} {
		shelf := fmt.Sprint("range ", i)
		for at := range 5 {
			for number := range 3 {
				require.NoError(t, session.Query("INSERT INTO steps (shelf, at, number) VALUES (?, ?, ?)", shelf, int64(at), number).Exec())
			}
		}
		require.NoError(t, session.Query("DELETE FROM steps WHERE shelf = ? AND "+where, shelf).Exec())
		var id traceID
		it := session.Query("SELECT number FROM steps WHERE shelf = ?", shelf).Trace(&id).Iter()
		require.Equal(t, 9, it.NumRows())
		require.NoError(t, it.Close())
		require.Equal(t, "Read 9 live rows and 2 tombstone cells", tracedRead(t, session, id), where)
	}
}

// tracedRead returns the event of a trace with the numbers of rows and tombstones, after the server has written it.
func tracedRead(t *testing.T, session *gocql.Session, id traceID) string {
	t.Helper()
	for {
		require.NoError(t, t.Context().Err())
		it := session.Query("SELECT activity FROM system_traces.events WHERE session_id = ?", []byte(id)).Consistency(gocql.One).Iter()
		for activity := ""; it.Scan(&activity); {
			if strings.Contains(activity, "live rows and") {
				require.NoError(t, it.Close())
				return activity
			}
		}
		require.NoError(t, it.Close())
	}
}
