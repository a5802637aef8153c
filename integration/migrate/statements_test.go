package migrate_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
)

// A seed does not evict the prepared statements of running programs, and a seed with more statements than the server's cache
// for prepared statements is applied.
func TestMigrateUpPreparesNoStatementOfAFile(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	var seed strings.Builder
	seed.WriteString("CREATE TABLE never_prepared (id int PRIMARY KEY, v text);\n")
	fmt.Fprintf(&seed, "INSERT INTO never_prepared (id, v) VALUES (0, '%s');\n", strings.Repeat("x", 3<<20))
	seed.WriteString("insert into never_prepared (id, v) values (1, 'a');\n\tUPDATE never_prepared SET v = 'b' WHERE id = 2;\n" +
		"DELETE FROM never_prepared WHERE id = 3;\n" +
		"BEGIN BATCH INSERT INTO never_prepared (id, v) VALUES (4, 'd'); UPDATE never_prepared SET v = 'e' WHERE id = 5; APPLY BATCH;\n" +
		"INSERT INTO never_prepared (id, v) VALUES (6, 'f') IF NOT EXISTS;\n")
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), migrations("0001_seed.cql", seed.String()), migrate.Config{}))
	var rows int
	require.NoError(t, session.Session.Query("SELECT count(*) FROM never_prepared").Scan(&rows))
	require.Equal(t, 6, rows)

	keyspace := session.Session.Query("").Keyspace()
	iter := session.Session.Query("SELECT logged_keyspace, query_string FROM system.prepared_statements").Iter()
	for of, text := "", ""; iter.Scan(&of, &text); {
		if of == keyspace && !strings.Contains(text, "count(*)") {
			require.NotContains(t, text, "never_prepared")
		}
	}
	require.NoError(t, iter.Close())
}

// A conditional statement that is not applied ends the run, unless a directive allows it. The error contains the values that
// the condition compared, and no others.
func TestMigrateUpRefusesAFalseCondition(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a table with a vector")
	session := cassandra.Keyspace(t)
	const seed = "CREATE TABLE c (p uuid, q int, v int, at timestamp, pair tuple<int, text>, password text, tags set<text>, near vector<float, 2>, PRIMARY KEY (p, q));\n" +
		"INSERT INTO c (p, q, v, at, pair, password, tags, near) VALUES (f81d4fae-7dec-11d0-a765-00a0c91e6bf6, -3, 1, 0, (1, 'x'), 'hunter2', {'a'}, [1, 2]);\n"
	const key = "p = f81d4fae-7dec-11d0-a765-00a0c91e6bf6 AND q = -3"
	const shown = "{p: f81d4fae-7dec-11d0-a765-00a0c91e6bf6, q: -3"
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), migrations("0001_seed.cql", seed), migrate.Config{}))
	for statement, want := range map[string]string{
		"UPDATE c SET v = 2 WHERE " + key + " IF v = 99":                                                                                                "the row is {v: 1}",
		"DELETE FROM c WHERE " + key + " IF at = 5 AND v = 1":                                                                                           "at: '1970-01-01T00:00:00.000Z'",
		"UPDATE c SET v = 2 WHERE " + key + " IF pair = (2, 'y')":                                                                                       "the row is {pair: (1, 'x')}",
		"UPDATE c SET v = 2 WHERE p = f81d4fae-7dec-11d0-a765-00a0c91e6bf6 AND q = 4 IF EXISTS":                                                         "the row does not exist",
		"INSERT INTO c (p, q, password) VALUES (f81d4fae-7dec-11d0-a765-00a0c91e6bf6, -3, 'x') IF NOT EXISTS":                                           "the row is " + shown + ", …}",
		"BEGIN BATCH UPDATE c SET v = 7 WHERE " + key + " IF v = 6; INSERT INTO c (p, q) VALUES (f81d4fae-7dec-11d0-a765-00a0c91e6bf6, 9); APPLY BATCH": "the row is " + shown + ", v: 1}",
	} {
		fsys := migrations("0001_seed.cql", seed, "0002_if.cql", statement)
		err := migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{})
		failure, ok := errors.AsType[*migrate.StatementError](err)
		require.True(t, ok, "%s: %v", statement, err)
		require.False(t, failure.Unknown)
		require.ErrorContains(t, failure.Err, "the condition is false")
		require.ErrorContains(t, failure.Err, want)
		require.NotContains(t, err.Error(), "hunter2")
		report, err := migrate.Status(t.Context(), gocqldriver.New(session), fsys, migrate.Config{})
		require.NoError(t, err)
		require.Equal(t, migrate.FileFailed, report.Files[1].State)
		require.Empty(t, report.Owner, "the lock is released")
	}
	fsys := migrations("0001_seed.cql", seed, "0002_if.cql", "-- aml:optional a test may have changed it\nUPDATE c SET v = 2 WHERE "+key+" IF v = 99;\n"+
		"UPDATE c SET v = 3 WHERE "+key+" IF v = 1")
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}))
	var v int
	require.NoError(t, session.Session.Query("SELECT v FROM c WHERE "+key).Scan(&v))
	require.Equal(t, 3, v)
}

// A server with too few replicas for a statement has not executed it: the error reports that, and the lock is released.
func TestMigrateUpAfterUnavailable(t *testing.T) {
	t.Parallel()
	own := cassandra.Keyspace(t)
	cluster := clusterAt(cassandra.Test(t).Hosts(), own.Session.Query("").Keyspace())
	cluster.Consistency = gocql.Three // with one replica
	session, err := gocqlx.WrapSession(cassandra.CreateSession(t.Context(), cluster))
	require.NoError(t, err)
	defer session.Close()
	for statement, unknown := range map[string]bool{
		"INSERT INTO u (id) VALUES (1)": false,
		"BEGIN BATCH INSERT INTO u (id) VALUES (1); DELETE FROM u WHERE id = 2; APPLY BATCH":             false,
		"BEGIN UNLOGGED BATCH INSERT INTO u (id) VALUES (1); INSERT INTO u (id) VALUES (2); APPLY BATCH": true,
		"DELETE FROM u WHERE id IN (1, 2)": true,
	} {
		require.NoError(t, own.ExecStmt("DROP TABLE IF EXISTS aml_migrations"))
		fsys := migrations("0001_u.cql", "CREATE TABLE IF NOT EXISTS u (id int PRIMARY KEY);\n"+statement)
		err := migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{})
		failure, ok := errors.AsType[*migrate.StatementError](err)
		require.True(t, ok, "%s: %v", statement, err)
		code, _ := driver.Code(failure.Err)
		require.Equal(t, driver.CodeUnavailable, code, "%v", failure.Err)
		require.Equal(t, unknown, failure.Unknown, statement)
		report, err := migrate.Status(t.Context(), gocqldriver.New(own), fsys, migrate.Config{})
		require.NoError(t, err)
		require.Equal(t, unknown, report.Owner != "", statement)
		if !unknown {
			require.ErrorContains(t, failure, "statement 2 was not applied: run again when enough nodes are up")
		}
	}
}

// A server before Cassandra 5.0 gets no statement of a folder that needs 5.0 for a later statement.
func TestMigrateUpOnAnOlderServer(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	err := migrate.Up(t.Context(), gocqldriver.New(session), migrations("0001_init.cql", "CREATE TABLE early (id int PRIMARY KEY, v text);",
		"0002_later.cql", "CREATE TABLE late (id int PRIMARY KEY) WITH incremental_backups = false;"), migrate.Config{})
	var count int
	require.NoError(t, session.Session.Query("SELECT count(*) FROM system_schema.tables WHERE keyspace_name = ? AND table_name IN ('early', 'late')",
		session.Session.Query("").Keyspace()).Scan(&count))
	if !cassandra.IsBefore(t, "5.0") {
		require.NoError(t, err)
		require.Equal(t, 2, count)
		return
	}
	var old *migrate.ServerVersionError
	require.ErrorAs(t, err, &old)
	require.Equal(t, []migrate.ServerNeed{{File: "0002_later.cql", Line: 1, Feature: "the property incremental_backups"}}, old.Needs)
	require.Zero(t, count)
}
