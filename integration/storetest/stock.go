package storetest

import (
	"iter"
	"strings"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/stockmodel"
	"github.com/cassaml/cassaml/mapper"
)

// Pages follows the tokens from the first page on.
func Pages[T any](t *testing.T, page func(token string) (mapper.Page[T], error)) (all [][]*T) {
	t.Helper()
	token := ""
	for {
		p, err := page(token)
		require.NoError(t, err)
		all = append(all, p.Items)
		if token = p.Next; token == "" {
			return all
		}
	}
}

// StockKeyspace returns a session in a keyspace that has the tables of package stockmodel, with their indexes built, and no rows.
// The test does not change the tables.
func StockKeyspace(t *testing.T) gocqlx.Session {
	t.Helper()
	session := SharedTables(t, stockmodel.Schema)
	awaitIndexes(t, session)
	return session
}

// awaitIndexes waits until the indexes of the session's keyspace can be read: while one is built the server refuses.
func awaitIndexes(t *testing.T, session gocqlx.Session) {
	t.Helper()
	keyspace := session.Session.Query("").Keyspace()
	for ready := false; !ready; {
		require.NoError(t, t.Context().Err())
		ready = true
		var queryable bool
		n := 0
		it := session.Session.Query("SELECT is_queryable FROM system_views.sai_column_indexes WHERE keyspace_name = ?", keyspace).Iter()
		for ; it.Scan(&queryable); n++ {
			ready = ready && queryable
		}
		err := it.Close()
		if KeyspaceDropped(err) {
			ready = false
			continue
		}
		require.NoError(t, err)
		require.Positive(t, n, "the keyspace has no index")
	}
}

// KeyspaceDropped reports whether a read of a virtual table failed because another test dropped its keyspace meanwhile: the server
// goes through all keyspaces for each read.
func KeyspaceDropped(err error) bool {
	return err != nil && strings.Contains(err.Error(), "Unknown keyspace")
}

// Places are those of the items that were read, in their order.
func Places(t *testing.T, rows iter.Seq2[*stockmodel.Item, error]) []int32 {
	t.Helper()
	var out []int32
	for i, err := range rows {
		require.NoError(t, err)
		out = append(out, i.Place)
	}
	return out
}
