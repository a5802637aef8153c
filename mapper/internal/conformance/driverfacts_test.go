package conformance

import (
	"fmt"
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

// After another session has prepared SELECT * again, gocql, and Apache's driver in version 4 of the protocol, read the columns with their
// earlier names, unless the answer describes them. In version 5 the server reports the change.
func TestColumnsShift(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Keyspace(t)
	name := keyspace.Query("", nil).Keyspace()
	for _, x := range []struct {
		driver  string
		version int
		shifts  bool
	}{{"gocql", 4, true}, {"apache", 4, true}, {"apache", 5, false}} {
		for _, metadata := range []bool{false, true} {
			table := fmt.Sprintf("t_%s_%d_%v", x.driver, x.version, metadata)
			require.NoError(t, keyspace.ExecStmt("CREATE TABLE "+table+" (p int PRIMARY KEY, v text, x text)"))
			require.NoError(t, keyspace.ExecStmt("INSERT INTO "+table+" (p, v, x) VALUES (1, 'v', 'x')"))
			s := openVersion(t, name, x.version, nil)[x.driver]
			other := openVersion(t, name, x.version, nil)[x.driver]
			read := func(s driver.Session) (columns int, last string) {
				it := s.Query(t.Context(), driver.Query{CQL: "SELECT * FROM " + table, Metadata: metadata})
				columns = it.Columns()
				into := make([]any, columns)
				cells := make([][]byte, columns)
				for i := range into {
					into[i] = s.Value(&cells[i])
				}
				require.True(t, it.Scan(into...))
				require.NoError(t, it.Close())
				return columns, string(cells[columns-1])
			}
			columns, last := read(s)
			require.Equal(t, "3 x", fmt.Sprint(columns, " ", last))
			require.NoError(t, keyspace.ExecStmt("ALTER TABLE "+table+" ADD a text"))
			require.NoError(t, keyspace.ExecStmt("UPDATE "+table+" SET a = 'a' WHERE p = 1"))
			columns, last = read(other)
			require.Equal(t, "4 x", fmt.Sprint(columns, " ", last))
			want := "4 x"
			if x.shifts && !metadata {
				want = "3 v" // the new column comes before the others
			}
			columns, last = read(s)
			require.Equal(t, want, fmt.Sprint(columns, " ", last), "%v, metadata %v", x, metadata)
		}
	}
}

// Without the description of its columns, gocql does not read the answer to a conditional statement, without an error; Apache's driver reads it.
func TestAnswersToConditions(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Tables(t, "CREATE TABLE t (p int PRIMARY KEY, v int)")
	for name, s := range openVersion(t, keyspace.Query("", nil).Keyspace(), 5, nil) {
		for _, metadata := range []bool{false, true} {
			refused := s.Query(t.Context(), driver.Query{CQL: "UPDATE t SET v = 1 WHERE p = 1 IF v = 2", Metadata: metadata})
			row := map[string]any{}
			require.True(t, refused.ScanMap(row))
			require.NoError(t, refused.Close())
			if name == "gocql" && !metadata {
				require.Empty(t, row)
				continue
			}
			require.Equal(t, map[string]any{driver.Applied: false}, row, name)
		}
	}
}

// gocql cannot read a vector into a map; Apache's driver can. Both read its bytes.
func TestVectorsOfDrivers(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Tables(t, "CREATE TABLE t (p int PRIMARY KEY, v vector<float, 2>)")
	require.NoError(t, keyspace.ExecStmt("INSERT INTO t (p, v) VALUES (1, [1, 2])"))
	for name, s := range openVersion(t, keyspace.Query("", nil).Keyspace(), 5, nil) {
		read := driver.Query{CQL: "SELECT v FROM t WHERE p = 1", Metadata: true}
		row := map[string]any{}
		it := s.Query(t.Context(), read)
		require.Equal(t, name == "apache", it.ScanMap(row))
		if err := it.Close(); name == "gocql" {
			require.ErrorContains(t, err, "not enough columns to scan into: have 0 want 1")
		} else {
			require.NoError(t, err)
			require.Equal(t, map[string]any{"v": []float32{1, 2}}, row)
		}
		var raw []byte
		found, err := driver.ScanOne(s.Query(t.Context(), read), s.Value(&raw))
		require.NoError(t, err)
		require.True(t, found)
		require.Len(t, raw, 8)
	}
}

// A statement that the server has forgotten, because its table was dropped and created again, is prepared again. If a column has another type
// then, a session still encodes Go values for the earlier type, and sends nothing if they do not fit. Too few arguments are not sent either.
func TestStatementsOfARecreatedTable(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Keyspace(t)
	for version := 4; version <= 5; version++ {
		for name, s := range openVersion(t, keyspace.Query("", nil).Keyspace(), version, nil) {
			table := fmt.Sprint("t_", name, "_", version)
			recreate := func(kind string) {
				require.NoError(t, keyspace.ExecStmt("DROP TABLE IF EXISTS "+table))
				require.NoError(t, keyspace.ExecStmt("CREATE TABLE "+table+" (p int PRIMARY KEY, v "+kind+")"))
			}
			insert := func(values ...any) error {
				return s.Query(t.Context(), driver.Query{CQL: "INSERT INTO " + table + " (p, v) VALUES (1, ?)", Args: values}).Close()
			}
			recreate("int")
			require.NoError(t, insert(1))
			recreate("int")
			require.NoError(t, insert(2))
			var v int
			require.NoError(t, keyspace.Session.Query("SELECT v FROM "+table).Scan(&v))
			require.Equal(t, 2, v)
			recreate("text")
			for _, values := range [][]any{{"a"}, nil} {
				err := insert(values...)
				require.True(t, driver.NotSent(err), "%s %d: %v", name, version, err)
			}
		}
	}
}

// A session prepares a statement that it does not keep any more again with each use.
func TestStatementsThatAreNotKept(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Tables(t, "CREATE TABLE t (p int PRIMARY KEY, v int, x int)")
	r := newRecorder()
	for name, s := range openVersion(t, keyspace.Query("", nil).Keyspace(), 4, r, 1) {
		before := r.prepared()
		for range 3 {
			for _, column := range []string{"v", "x"} {
				require.NoError(t, s.Query(t.Context(), driver.Query{CQL: "SELECT " + column + " FROM t"}).Close())
			}
		}
		require.GreaterOrEqual(t, r.prepared()-before, 6, name) // more if the server, which other tests use, too, has forgotten one
	}
}

// By default a session speaks version 4 of the protocol over gocql and version 5 over Apache's driver, repeats nothing, and keeps 1,000 prepared
// statements. The first statement of a batch determines its replica.
func TestDefaultsOfDrivers(t *testing.T) {
	t.Parallel()
	older, newer := gocql.NewCluster(), apache.NewCluster()
	require.Nil(t, older.RetryPolicy)
	require.Nil(t, newer.RetryPolicy)
	require.Equal(t, 1000, older.MaxPreparedStmts)
	require.Equal(t, 1000, newer.MaxPreparedStmts)
	require.Equal(t, time.Minute, older.MaxWaitSchemaAgreement)
	require.Equal(t, time.Minute, newer.MaxWaitSchemaAgreement)

	keyspace := cassandra.Tables(t, "CREATE TABLE t (p int PRIMARY KEY, v int)")
	policies := &routes{HostSelectionPolicy: gocql.RoundRobinHostPolicy()}
	apaches := &apacheRoutes{HostSelectionPolicy: apache.RoundRobinHostPolicy()}
	older, newer = gocql.NewCluster(cassandra.Test(t).Hosts()...), apache.NewCluster(cassandra.Test(t).Hosts()...)
	older.Keyspace, older.Timeout, older.PoolConfig.HostSelectionPolicy = keyspace.Query("", nil).Keyspace(), 30*time.Second, policies
	newer.Keyspace, newer.Timeout, newer.PoolConfig.HostSelectionPolicy = older.Keyspace, 30*time.Second, apaches
	fromOlder, fromNewer := newRecorder(), newRecorder()
	older.Dialer, newer.Dialer = fromOlder, fromNewer
	a, err := gocqlx.WrapSession(older.CreateSession())
	require.NoError(t, err)
	defer a.Close()
	substitute.Set(a.Session, nil)
	b, err := newer.CreateSession()
	require.NoError(t, err)
	defer b.Close()
	require.Equal(t, 4, fromOlder.protocol())
	require.Equal(t, 5, fromNewer.protocol())
	for last, s := range map[*[]byte]driver.Session{&policies.last: gocqldriver.New(a), &apaches.last: apachedriver.New(b)} {
		first, second, unrouted := bigEndian(5), bigEndian(6), driver.Query{CQL: "SELECT v FROM t WHERE p = ?"}
		batch := s.Batch(t.Context(), driver.BatchConfig{}, 2)
		batch.Add("UPDATE t SET v = 1 WHERE p = ?", []any{s.Value(&first)})
		batch.Add("UPDATE t SET v = 1 WHERE p = ?", []any{s.Value(&second)})
		require.NoError(t, batch.Exec())
		require.Equal(t, first, *last)
		unrouted.Args = []any{s.Value(&second)}
		require.NoError(t, s.Query(t.Context(), unrouted).Close())
		require.Equal(t, second, *last)
		unrouted.Unrouted = true
		require.NoError(t, s.Query(t.Context(), unrouted).Close())
		require.Empty(t, *last)
	}
}

// routes is a policy of gocql that keeps the routing key of the last request.
type routes struct {
	gocql.HostSelectionPolicy
	last []byte
}

// Pick implements gocql.HostSelectionPolicy.
func (r *routes) Pick(q gocql.ExecutableQuery) gocql.NextHost {
	if q != nil {
		r.last, _ = q.GetRoutingKey()
	}
	return r.HostSelectionPolicy.Pick(q)
}

// apacheRoutes is the same for Apache's driver.
type apacheRoutes struct {
	apache.HostSelectionPolicy
	last []byte
}

// Pick implements apache.HostSelectionPolicy.
func (r *apacheRoutes) Pick(q apache.ExecutableStatement) apache.NextHost {
	if q != nil {
		r.last, _ = q.GetRoutingKey()
	}
	return r.HostSelectionPolicy.Pick(q)
}

// A page state, also a nil one, ends automatic paging; a page size of 0 requests all rows at once.
func TestPagesOfDrivers(t *testing.T) {
	t.Parallel()
	keyspace := cassandra.Tables(t, "CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))")
	for c := range 5 {
		require.NoError(t, keyspace.Session.Query("INSERT INTO t (p, c) VALUES (1, ?)", c).Exec())
	}
	const cql = "SELECT c FROM t WHERE p = 1"
	sessions := openVersion(t, keyspace.Query("", nil).Keyspace(), 5, nil)
	older, newer := gocqldriver.Session(sessions["gocql"]).Session, apachedriver.Session(sessions["apache"])
	for name, pages := range map[string][3]driver.Rows{
		"gocql":  {gocqldriver.Rows(older.Query(cql).PageSize(2).Iter()), gocqldriver.Rows(older.Query(cql).PageSize(2).PageState(nil).Iter()), gocqldriver.Rows(older.Query(cql).PageSize(0).Iter())},
		"apache": {apachedriver.Rows(newer.Query(cql).PageSize(2).Iter()), apachedriver.Rows(newer.Query(cql).PageSize(2).PageState(nil).Iter()), apachedriver.Rows(newer.Query(cql).PageSize(0).Iter())},
	} {
		for i, want := range [][2]int{{2, 5}, {2, 2}, {5, 5}} {
			first, all := pages[i].Count(), 0
			for pages[i].Scan(nil) {
				all++
			}
			require.NoError(t, pages[i].Close())
			require.Equal(t, want, [2]int{first, all}, "%s %d", name, i)
		}
	}
}
