package conformance

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
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// The marker of a tuple counts as one value for each member and one more, so it cannot be bound by either driver: statements have a literal of
// the members instead. A scan of a tuple has a destination for each member.
func TestMarkersOfTuples(t *testing.T) {
	t.Parallel()
	for name, s := range sessions(t) {
		t.Run(name, func(t *testing.T) {
			table := "tuples_" + name
			require.NoError(t, s.Query(t.Context(), driver.Query{CQL: "CREATE TABLE " + table + " (p int PRIMARY KEY, v tuple<int, text>)"}).Close())
			insert := driver.Query{CQL: "INSERT INTO " + table + " (p, v) VALUES (?, ?)", Args: []any{1, []any{1, "a"}}}
			require.ErrorContains(t, s.Query(t.Context(), insert).Close(), "expected 3 values send got 2")
			insert.Args = []any{1, 1, "a"}
			require.ErrorContains(t, s.Query(t.Context(), insert).Close(), "cannot marshal int into tuple")
			insert.CQL = "INSERT INTO " + table + " (p, v) VALUES (?, (?, ?))"
			require.NoError(t, s.Query(t.Context(), insert).Close())
			rows := s.Query(t.Context(), driver.Query{CQL: "SELECT v FROM " + table})
			require.Len(t, rows.Types()[0].Type.Elements, 2)
			var number, text []byte
			require.True(t, rows.Scan(s.Value(&number), s.Value(&text)))
			require.NoError(t, rows.Close())
			require.Equal(t, "a", string(text))
		})
	}
}

// A store cannot be opened on a session with version 3 of the protocol, in which both drivers send unset values as nulls.
func TestProtocolWithoutUnsetValues(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Keyspace(t).Query("", nil).Keyspace()
	older := gocql.NewCluster(cassandra.Test(t).Hosts()...)
	newer := apache.NewCluster(cassandra.Test(t).Hosts()...)
	for version, refused := range map[int]bool{3: true, 4: false} {
		older.Keyspace, older.ProtoVersion, older.Timeout = keyspace, version, 30*time.Second
		newer.Keyspace, newer.ProtoVersion, newer.Timeout = keyspace, version, 30*time.Second
		a, err := gocqlx.WrapSession(older.CreateSession())
		require.NoError(t, err)
		substitute.Set(a.Session, nil)
		b, err := newer.CreateSession()
		require.NoError(t, err)
		for _, s := range []driver.Session{gocqldriver.New(a), apachedriver.New(b)} {
			_, err := store.CQL{Session: s}.Inspect(t.Context())
			require.Equal(t, refused, err != nil, "%T %d: %v", s, version, err)
			if refused {
				require.ErrorContains(t, err, "the session uses version 3 of the native protocol")
			}
		}
		a.Close()
		b.Close()
	}
}
