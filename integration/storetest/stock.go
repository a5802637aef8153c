package storetest

import (
	"iter"
	"strings"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/mapper"
)

// Pages returns all pages: it follows the tokens from the first page.
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

// StockKeyspace returns a session in a keyspace with the tables of package stock, with built indexes and without rows.
// The test must not change the tables.
func StockKeyspace(t *testing.T) gocqlx.Session {
	t.Helper()
	return IndexedTables(t, stock.Schema)
}

// IndexedTables returns a session in a keyspace with the tables of a schema, with built indexes and without rows. The test must
// not change the tables.
func IndexedTables(t *testing.T, schema string) gocqlx.Session {
	t.Helper()
	session := SharedTables(t, schema)
	AwaitIndexes(t, session)
	return session
}

// AwaitIndexes waits until the indexes of the session's keyspace can be read: the server rejects reads while it builds one.
func AwaitIndexes(t *testing.T, session gocqlx.Session) {
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

// KeyspaceDropped reports whether a read of a virtual table failed because another test dropped its keyspace concurrently:
// the server reads all keyspaces for such a read.
func KeyspaceDropped(err error) bool {
	return err != nil && strings.Contains(err.Error(), "Unknown keyspace")
}

// Places returns the places of the items that were read, in order.
func Places(t *testing.T, rows iter.Seq2[*stock.Item, error]) []int32 {
	t.Helper()
	var out []int32
	for i, err := range rows {
		require.NoError(t, err)
		out = append(out, i.Place)
	}
	return out
}
