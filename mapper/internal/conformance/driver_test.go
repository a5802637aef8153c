package conformance

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"testing/fstest"
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
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/copydata"
)

// sessions opens a session of each driver on a new keyspace.
func sessions(t *testing.T) map[string]driver.Session {
	t.Helper()
	keyspace := cassandra.Keyspace(t)
	name := keyspace.Query("", nil).Keyspace()
	hosts := cassandra.Test(t).Hosts()

	older := gocql.NewCluster(hosts...)
	older.Keyspace, older.Timeout, older.WriteCoalesceWaitTime = name, 30*time.Second, 0
	nodes := gocqldriver.NewNodes(nil)
	older.PoolConfig.HostSelectionPolicy = nodes
	a, err := gocqlx.WrapSession(older.CreateSession())
	require.NoError(t, err)
	t.Cleanup(a.Close)
	substitute.Set(a.Session, nil)

	newer := apache.NewCluster(hosts...)
	newer.Keyspace, newer.Timeout, newer.WriteCoalesceWaitTime = name, 30*time.Second, 0
	b, err := newer.CreateSession()
	require.NoError(t, err)
	t.Cleanup(b.Close)
	return map[string]driver.Session{"gocql": gocqldriver.New(a, nodes), "apache": apachedriver.New(b)}
}

// Both drivers carry out the same requests with the same results, as the interface describes them.
func TestDrivers(t *testing.T) {
	t.Parallel()
	for name, s := range sessions(t) {
		t.Run(name, func(t *testing.T) {
			d := driven{t, s, t.Context()}
			answered := 0
			require.NoError(t, s.Check())
			create := fmt.Sprintf("CREATE TABLE %s (p int, c int, v text, l list<int>, PRIMARY KEY (p, c))", name)
			require.NoError(t, s.Query(d.ctx, driver.Query{CQL: create, Answered: func() { answered++ }}).Close())
			require.Equal(t, 1, answered)
			for _, test := range []func(driven, string){testCells, testBatches, testConditions, testPages, testErrors, testNodes, testValues} {
				test(d, name)
			}
		})
	}
}

// driven is a session under test.
type driven struct {
	*testing.T
	driver.Session
	ctx context.Context
}

func bigEndian(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// args returns arguments for cells: nil is null, and "unset" leaves a column unchanged.
func (d driven) args(cells ...[]byte) (out []any) {
	for _, c := range cells {
		if string(c) == "unset" {
			out = append(out, d.Unset())
			continue
		}
		out = append(out, d.Value(&c))
	}
	return out
}

func (d driven) write(table string, cells ...[]byte) {
	d.Helper()
	q := driver.Query{CQL: "INSERT INTO " + table + " (p, c, v) VALUES (?, ?, ?)", Args: d.args(cells...), Consistency: driver.LocalQuorum, NoTimestamp: true}
	require.NoError(d, d.Session.Query(d.ctx, q).Close())
}

// values returns v of the rows of a partition, in their order; null is "null".
func (d driven) values(table string, p int) (out []string) {
	d.Helper()
	q := driver.Query{CQL: "SELECT v FROM " + table + " WHERE p = ?", Args: d.args(bigEndian(p)), Consistency: driver.LocalQuorum, Attempts: driver.Reread}
	rows := d.Session.Query(d.ctx, q)
	for v := []byte(nil); rows.Scan(d.Value(&v)); {
		if v == nil {
			out = append(out, "null")
			continue
		}
		out = append(out, string(v))
	}
	require.NoError(d, rows.Close())
	return out
}

// Cells are sent and received unchanged; null, empty and unset are different.
func testCells(d driven, table string) {
	for c, v := range [][]byte{[]byte("a"), {}, nil} {
		d.write(table, bigEndian(1), bigEndian(c), v)
	}
	require.Equal(d, []string{"a", "", "null"}, d.values(table, 1))
	d.write(table, bigEndian(1), bigEndian(0), []byte("unset"))
	require.Equal(d, []string{"a", "", "null"}, d.values(table, 1))
}

func testBatches(d driven, table string) {
	for i, config := range []driver.BatchConfig{{}, {Unlogged: true, Attempts: driver.Repeat}} {
		config.Consistency, config.NoTimestamp = driver.LocalQuorum, true
		b := d.Batch(d.ctx, config, 2)
		for c := range 2 {
			b.Add("INSERT INTO "+table+" (p, c, v) VALUES (?, ?, ?)", d.args(bigEndian(10+i), bigEndian(c), []byte("x")))
		}
		require.NoError(d, b.Exec())
		require.Equal(d, []string{"x", "x"}, d.values(table, 10+i))
	}
}

// An answer to a conditional statement has the existing row only if it was not applied; a batch is applied as a whole or not at all.
func testConditions(d driven, table string) {
	insert := driver.Query{CQL: "INSERT INTO " + table + " (p, c, v) VALUES (?, ?, ?) IF NOT EXISTS", Consistency: driver.LocalQuorum, Serial: driver.Serial, Metadata: true, NoTimestamp: true}
	for _, want := range []bool{true, false} {
		insert.Args = d.args(bigEndian(2), bigEndian(1), []byte("first"))
		applied, row, err := driver.ScanCAS(d.Session.Query(d.ctx, insert))
		require.NoError(d, err)
		require.Equal(d, want, applied)
		require.Equal(d, !want, row["v"] == "first", "%v", row)
		again := d.Session.Query(d.ctx, insert)
		require.Equal(d, driver.Applied, again.Column(0))
		require.NoError(d, again.Close())
	}
	for _, want := range []bool{true, false} {
		b := d.Batch(d.ctx, driver.BatchConfig{Consistency: driver.LocalQuorum, Serial: driver.Serial}, 2)
		b.Add("UPDATE "+table+" SET v = 'second' WHERE p = ? AND c = ? IF v = 'first'", d.args(bigEndian(2), bigEndian(1)))
		b.Add("INSERT INTO "+table+" (p, c, v) VALUES (?, ?, 'more')", d.args(bigEndian(2), bigEndian(2)))
		applied, err := b.ExecCAS()
		require.NoError(d, err)
		require.Equal(d, want, applied)
	}
	require.Equal(d, []string{"second", "more"}, d.values(table, 2))
	_, _, err := driver.ScanCAS(d.Session.Query(d.ctx, driver.Query{CQL: "SELECT v FROM " + table + " WHERE p = 2"}))
	require.ErrorIs(d, err, driver.ErrNotConditional)
}

// A query reads page by page, or one page from a state.
func testPages(d driven, table string) {
	for c := range 5 {
		d.write(table, bigEndian(3), bigEndian(c), fmt.Append(nil, c))
	}
	q := driver.Query{CQL: "SELECT v FROM " + table + " WHERE p = 3", Consistency: driver.LocalQuorum, Attempts: driver.Reread, PageSize: 2, Pages: driver.Needed}
	rows, switches, all := d.Session.Query(d.ctx, q), 0, ""
	var v []byte
	for {
		if rows.SwitchesPage() {
			switches++
		}
		if !rows.Scan(d.Value(&v)) {
			break
		}
		all += string(v)
	}
	require.NoError(d, rows.Close())
	require.Equal(d, "01234", all)
	require.Equal(d, 2, switches)

	q.Pages = driver.Single
	var pages []string
	for {
		rows := d.Session.Query(d.ctx, q)
		page := fmt.Sprint(rows.Count(), ":")
		for rows.Scan(d.Value(&v)) {
			page += string(v)
		}
		pages = append(pages, page)
		q.PageState = append([]byte(nil), rows.PageState()...)
		require.NoError(d, rows.Close())
		if len(q.PageState) == 0 {
			break
		}
	}
	require.Equal(d, []string{"2:01", "2:23", "1:4"}, pages)
	q.PageSize, q.Pages = -1, driver.Ahead
	rows = d.Session.Query(d.ctx, q)
	require.Equal(d, 5, rows.Count())
	require.NoError(d, rows.Close())
}

// Errors have a class, and the code of a server.
func testErrors(d driven, table string) {
	code := func(q driver.Query) int {
		d.Helper()
		err := d.Session.Query(d.ctx, q).Close()
		code, answered := driver.Code(err)
		require.True(d, answered, "%v", err)
		require.False(d, driver.NotSent(err))
		e, _ := errors.AsType[*driver.Error](err)
		require.NotEmpty(d, e.Message)
		return code
	}
	require.Equal(d, driver.CodeInvalid, code(driver.Query{CQL: "SELECT v FROM nothing"}))
	require.Equal(d, driver.CodeSyntax, code(driver.Query{CQL: "SELEC v FROM " + table}))
	require.Equal(d, driver.CodeAlreadyExists, code(driver.Query{CQL: "CREATE TABLE " + table + " (p int PRIMARY KEY)"}))
	require.Equal(d, driver.CodeUnavailable, code(driver.Query{CQL: "SELECT v FROM " + table + " WHERE p = 1", Consistency: driver.Two}))
	unavailable, _ := errors.AsType[*driver.Error](d.Session.Query(d.ctx, driver.Query{CQL: "SELECT v FROM " + table + " WHERE p = 1", Consistency: driver.Two}).Close())
	require.Equal(d, driver.Two, unavailable.Consistency)
	for _, q := range []driver.Query{
		{CQL: "SELECT v FROM " + table + " WHERE p = ?", Args: d.args(bigEndian(1), bigEndian(2))},
		{CQL: "SELECT v FROM " + table + " WHERE p = ?", Args: []any{d.Bind(func(t driver.Type) ([]byte, error) { return d.Encode(t, "no number") })}},
		{CQL: "USE system"},
	} {
		err := d.Session.Query(d.ctx, q).Close()
		require.True(d, driver.NotSent(err), "%s: %v", q.CQL, err)
	}
	ctx, cancel := context.WithCancel(d.ctx)
	cancel()
	require.ErrorIs(d, d.Session.Query(ctx, driver.Query{CQL: "SELECT v FROM " + table}).Close(), context.Canceled)
}

// A request can be sent to a given node, and to no other.
func testNodes(d driven, table string) {
	nodes, err := d.Nodes()
	require.NoError(d, err)
	require.Len(d, nodes, 1)
	rows := d.Session.Query(d.ctx, driver.Query{CQL: "SELECT v FROM " + table + " WHERE p = 1", Node: nodes[0]})
	require.Equal(d, nodes[0], rows.Node())
	require.NoError(d, rows.Close())
	err = d.Session.Query(d.ctx, driver.Query{CQL: "SELECT v FROM " + table + " WHERE p = 1", Node: "127.0.0.1:1"}).Close()
	require.True(d, driver.NotSent(err), "%v", err)
	other := d.Session.Query(d.ctx, driver.Query{CQL: "SELECT v FROM " + table + " WHERE p = ?", Args: d.args(bigEndian(1)), Unrouted: true})
	require.NoError(d, other.Close())
}

// Go values are encoded as their types, and a value can be encoded when its type is known.
func testValues(d driven, table string) {
	bound := d.Bind(func(t driver.Type) ([]byte, error) {
		require.Equal(d, driver.TypeList, t.ID)
		return d.Encode(t, []int{7, 8})
	})
	q := driver.Query{CQL: "INSERT INTO " + table + " (p, c, v, l) VALUES (?, ?, ?, ?)", Args: []any{4, 1, "text", bound}, Consistency: driver.LocalQuorum}
	require.NoError(d, d.Session.Query(d.ctx, q).Close())
	rows := d.Session.Query(d.ctx, driver.Query{CQL: "SELECT v, l FROM " + table + " WHERE p = 4", Consistency: driver.LocalQuorum, Metadata: true})
	types := rows.Types()
	require.Equal(d, []string{"v", "l"}, []string{types[0].Name, types[1].Name})
	require.Equal(d, table, types[0].Table)
	require.Equal(d, d.Keyspace(), types[0].Keyspace)
	var text string
	var raw []byte
	require.True(d, rows.Scan(&text, d.Value(&raw)))
	require.Equal(d, "text", text)
	var list []int
	require.NoError(d, d.Decode(types[1].Type, raw, &list))
	require.Equal(d, []int{7, 8}, list)
	require.NoError(d, rows.Close())
	found, err := driver.ScanOne(d.Session.Query(d.ctx, driver.Query{CQL: "SELECT v FROM " + table + " WHERE p = 99"}), &text)
	require.NoError(d, err)
	require.False(d, found)
	_, err = d.Encode(driver.Type{}, 1)
	require.ErrorContains(d, err, "is not from a result of")
}

// A session that was never made, and the session of a store without one, say so.
func TestSessionsThatAreNone(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, gocqldriver.New(gocqlx.Session{}).Check(), "create one with gocqlx.WrapSession")
	require.ErrorContains(t, apachedriver.New(nil).Check(), "create one with CreateSession")
	require.ErrorIs(t, gocqldriver.Session(nil).Query("SELECT key FROM system.local", nil).Exec(), gocql.ErrSessionClosed)
	require.ErrorIs(t, apachedriver.Session(nil).Query("SELECT key FROM system.local").Exec(), apache.ErrSessionClosed)
	own := new(gocql.Session)
	substitute.Set(own, nil)
	_, err := gocqldriver.New(gocqlx.NewSession(own)).Nodes()
	require.ErrorContains(t, err, "gocqldriver.Nodes")
	for want, s := range map[string]driver.Session{
		"the session is nil: create one with gocqldriver.New or apachedriver.New": nil,
		"the session is the zero value: create one with gocqlx.WrapSession":       gocqldriver.New(gocqlx.Session{}),
		"the session is nil: create one with CreateSession":                       apachedriver.New(nil),
	} {
		files := fstest.MapFS{"0001_init.cql": {Data: []byte("CREATE TABLE t (id int PRIMARY KEY)")}}
		require.ErrorContains(t, migrate.Up(t.Context(), s, files, migrate.Config{}), want)
		_, err := migrate.Status(t.Context(), s, files, migrate.Config{})
		require.ErrorContains(t, err, want)
		_, err = migrate.Owners(t.Context(), s)
		require.ErrorContains(t, err, want)
		_, err = catalog.Inspect(t.Context(), s, "shop")
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, copydata.Rows{From: "a", To: "b"}.Run(t.Context(), s), want)
		_, err = store.CQL{Session: s}.Inspect(t.Context())
		require.ErrorContains(t, err, want)
	}
}
