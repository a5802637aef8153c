package migrate_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/suite"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
)

// migrations returns a folder, from names and texts that alternate.
func migrations(namesAndTexts ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(namesAndTexts); i += 2 {
		fsys[namesAndTexts[i]] = &fstest.MapFile{Data: []byte(namesAndTexts[i+1])}
	}
	return fsys
}

// shopMigrations has every kind of statement. None may run twice: a table is created without IF NOT EXISTS, and a counter is
// incremented.
func shopMigrations() fstest.MapFS {
	return migrations(
		"0001_init.cql", "\ufeff-- the shop; first\r\nCREATE TYPE address (street text, \"ZIP;code\" text);\r\n"+
			"CREATE TABLE customers (id int PRIMARY KEY, name text, home frozen<address>) WITH comment = 'who; buys';\r\n"+
			"CREATE TABLE visits (id int PRIMARY KEY, n counter)",
		"0002_fill.cql", "UPDATE visits SET n = n + 1 WHERE id = 1;\n"+
			"BEGIN UNLOGGED BATCH\n"+
			"  INSERT INTO customers (id, name) VALUES (1, 'O''Hara; -- Ana'); -- one\n"+
			"  INSERT INTO customers (id, name) VALUES (2, $$it's; /* $$); // two\n"+
			"APPLY BATCH; /* end */",
		"0010_add_email.cql", "ALTER TABLE customers ADD email text; ALTER TYPE address ADD city text;\n",
	)
}

func TestMigrateUp(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	var applied []string
	config := migrate.Config{Progress: func(e migrate.Event) {
		if e.Kind == migrate.EventApplied {
			applied = append(applied, fmt.Sprintf("%s:%d %d/%d", e.File, e.Line, e.Number, e.Total))
		}
	}}
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), shopMigrations(), config))
	assert.Equal(t, []string{
		"0001_init.cql:2 1/3", "0001_init.cql:3 2/3", "0001_init.cql:4 3/3",
		"0002_fill.cql:1 1/2", "0002_fill.cql:2 2/2",
		"0010_add_email.cql:1 1/2", "0010_add_email.cql:1 2/2",
	}, applied)
	assert.Equal(t, map[int]string{1: "O'Hara; -- Ana", 2: "it's; /* "}, customerNames(t, session))
	require.NoError(t, session.ExecStmt(
		`INSERT INTO customers (id, email, home) VALUES (3, 'c@example.com', {street: 'a', "ZIP;code": 'b', city: 'c'})`))

	applied = nil
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), shopMigrations(), config))
	assert.Empty(t, applied)
	assert.Equal(t, int64(1), visits(t, session))
}

// TestMigrateUpNothingPending counts the requests of a session.
func TestMigrateUpNothingPending(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), shopMigrations(), migrate.Config{}))
	var asked observer
	watched := watch(t, session, &asked)
	for range 2 {
		require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(watched), shopMigrations(), migrate.Config{}))
		require.Len(t, asked.statements, 1)
		assert.Contains(t, asked.statements[0], "SELECT ")
		asked.statements = nil
	}
}

// observer records the statements of a session.
type observer struct {
	mu         sync.Mutex
	statements []string
}

func (o *observer) ObserveQuery(_ context.Context, q gocql.ObservedQuery) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.statements = append(o.statements, q.Statement)
}

func (o *observer) ObserveBatch(_ context.Context, b gocql.ObservedBatch) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.statements = append(o.statements, b.Statements...)
}

// watch opens another session in the keyspace of a session.
func watch(t *testing.T, session gocqlx.Session, o *observer) gocqlx.Session {
	t.Helper()
	return watchAt(t, cassandra.Test(t).Hosts(), session.Session.Query("").Keyspace(), o)
}

// watchAt opens a session whose statements are recorded.
func watchAt(t *testing.T, hosts []string, keyspace string, o *observer) gocqlx.Session {
	t.Helper()
	cluster := clusterAt(hosts, keyspace)
	cluster.QueryObserver, cluster.BatchObserver = o, o
	watched, err := gocqlx.WrapSession(cassandra.CreateSession(t.Context(), cluster))
	require.NoError(t, err)
	t.Cleanup(watched.Close)
	return watched
}

func TestMigrateUpFailsHalfWay(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	fsys := shopMigrations()
	fsys["0010_add_email.cql"].Data = []byte("ALTER TABLE customers ADD email text;\n\n-- a slip\nALTER TABLE customres ADD phone text;\nALTER TYPE address ADD city text;\n")
	for range 2 {
		err := migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{})
		failure, ok := errors.AsType[*migrate.StatementError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, "0010_add_email.cql", failure.File)
		assert.Equal(t, []int{2, 3, 4, 1}, []int{failure.Number, failure.Total, failure.Line, failure.Applied})
		assert.Equal(t, "ALTER TABLE customres ADD phone text", failure.Statement)
		assert.False(t, failure.Unknown)
		_, answered := driver.Code(failure.Err)
		assert.True(t, answered, "%v", failure.Err)
		assert.ErrorContains(t, err, "0010_add_email.cql:4: statement 2 of 3: ALTER TABLE customres ADD phone text: ")
		assert.ErrorContains(t, err, "statement 1 is recorded as applied; statement 2 was not applied: fix the file from there on")
	}

	edited := maps.Clone(fsys)
	edited["0010_add_email.cql"] = &fstest.MapFile{Data: []byte("ALTER TABLE customers ADD mail text;\nALTER TYPE address ADD city text;\n")}
	err := migrate.Up(t.Context(), gocqldriver.New(session), edited, migrate.Config{})
	changed, ok := errors.AsType[*migrate.FileError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, &migrate.FileError{File: "0010_add_email.cql", State: migrate.FileEdited,
		Reason: "statement 1 was applied, and has been edited or removed since; restore the file and write the change as a new file"}, changed)

	fsys["0010_add_email.cql"].Data = []byte("ALTER TABLE customers ADD email text;\nALTER TABLE customers ADD phone text;\n")
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}))
	require.NoError(t, session.ExecStmt("INSERT INTO customers (id, email, phone) VALUES (3, 'e', 'p')"))
}

func TestMigrateUpRefusesFolderThatContradictsTheRecord(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), shopMigrations(), migrate.Config{}))

	edited := shopMigrations()
	edited["0001_init.cql"].Data = append(edited["0001_init.cql"].Data, " -- later"...)
	changed, ok := errors.AsType[*migrate.FileError](migrate.Up(t.Context(), gocqldriver.New(session), edited, migrate.Config{}))
	require.True(t, ok)
	assert.Equal(t, "0001_init.cql", changed.File)
	assert.Equal(t, migrate.FileEdited, changed.State)

	gone := shopMigrations()
	delete(gone, "0002_fill.cql")
	missing, ok := errors.AsType[*migrate.FileError](migrate.Up(t.Context(), gocqldriver.New(session), gone, migrate.Config{}))
	require.True(t, ok)
	assert.Equal(t, "0002_fill.cql", missing.File)
	assert.Equal(t, migrate.FileMissing, missing.State)

	between := shopMigrations()
	between["0005_late.cql"] = &fstest.MapFile{Data: []byte("CREATE TABLE late (id int PRIMARY KEY)")}
	order, ok := errors.AsType[*migrate.FileError](migrate.Up(t.Context(), gocqldriver.New(session), between, migrate.Config{}))
	require.True(t, ok)
	assert.Equal(t, &migrate.FileError{File: "0005_late.cql", State: migrate.FileOutOfOrder,
		Reason: "comes before 0010_add_email.cql, which is already applied; give it a greater number"}, order)
}

func TestMigrateUpAcceptsNewerDatabase(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), shopMigrations(), migrate.Config{}))
	old := shopMigrations()
	delete(old, "0010_add_email.cql")
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), old, migrate.Config{}))
}

// TestMigrateUpTogether starts concurrent runs, each with a separate session, of statements that must not run twice.
func TestMigrateUpTogether(t *testing.T) {
	t.Parallel()
	const many = 4
	session := cassandra.Keyspace(t)
	fsys := shopMigrations()
	fsys["0011_count.cql"] = &fstest.MapFile{Data: []byte(
		"UPDATE visits SET n = n + 1 WHERE id = 1; UPDATE visits SET n = n + 1 WHERE id = 1; ALTER TYPE address ADD country text")}
	var asked [many]observer
	errs := make([]error, many)
	begin := make(chan struct{})
	var runs sync.WaitGroup
	for i := range many {
		mine := watch(t, session, &asked[i])
		runs.Go(func() {
			<-begin
			errs[i] = migrate.Up(t.Context(), gocqldriver.New(mine), fsys, migrate.Config{})
		})
	}
	close(begin)
	runs.Wait()
	require.NoError(t, errors.Join(errs...))
	assert.Equal(t, int64(3), visits(t, session))
	for _, ddl := range []string{"ALTER TABLE customers ADD email text", "ALTER TYPE address ADD city text", "ALTER TYPE address ADD country text"} {
		assert.Equal(t, 1, count(asked[:], ddl), ddl)
	}
	var id gocql.UUID
	require.NoError(t, session.Session.Query("SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?",
		session.Session.Query("").Keyspace(), "aml_migrations").Scan(&id))
	assert.Equal(t, 5, id.Version())
}

// clusterAt returns a driver configuration for nodes of which one may be down.
func clusterAt(hosts []string, keyspace string) *gocql.ClusterConfig {
	cluster := gocql.NewCluster(hosts...)
	cluster.Keyspace = keyspace
	cluster.Timeout, cluster.ConnectTimeout = 30*time.Second, 10*time.Second
	cluster.WriteCoalesceWaitTime, cluster.MaxWaitSchemaAgreement = 0, 3*time.Second
	return cluster
}

// count returns the number of times that a statement was sent.
func count(asked []observer, statement string) int {
	n := 0
	for i := range asked {
		n += len(slices.DeleteFunc(slices.Clone(asked[i].statements), func(s string) bool { return s != statement }))
	}
	return n
}

// TestMigrateUpTakesOver takes the lock of a run that has ended without releasing it, with a lease of two seconds.
func TestMigrateUpTakesOver(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	fsys := shopMigrations()
	last := fsys["0010_add_email.cql"]
	delete(fsys, "0010_add_email.cql")
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}))
	fsys["0010_add_email.cql"] = last
	require.NoError(t, session.ExecStmt(
		"UPDATE aml_migrations USING TTL 2 SET owner = 'dead' WHERE folder = 'migrations'"))

	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, migrate.Up(ctx, gocqldriver.New(session), fsys, migrate.Config{}), context.DeadlineExceeded)
	waits := 0
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{Progress: func(e migrate.Event) {
		if e.Kind == migrate.EventWaiting {
			waits++
		}
	}}))
	assert.Equal(t, 1, waits)
}

// TestMigrateUpAgainAfterDrop drops a keyspace and creates it again: the table of records then has the same ID as before.
func TestMigrateUpAgainAfterDrop(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	fsys := migrations("0001_init.cql", "CREATE TABLE visits (id int PRIMARY KEY, n counter); UPDATE visits SET n = n + 1 WHERE id = 1")
	for range 3 {
		require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}))
		assert.Equal(t, int64(1), visits(t, session))
		require.NoError(t, session.ExecStmt("DROP TABLE visits"))
		require.NoError(t, session.ExecStmt("DROP TABLE aml_migrations"))
	}
}

// A table of another program that has the name of the table of records is an error at once: the requests are not repeated.
func TestMigrateUpBesideAForeignTable(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	require.NoError(t, session.ExecStmt("CREATE TABLE aml_migrations (id int PRIMARY KEY, name text)"))
	want := &migrate.ForeignTableError{Keyspace: session.Session.Query("").Keyspace(), Column: "folder"}
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second) // half of the time for which a request is repeated
	defer cancel()
	require.Equal(t, want, migrate.Up(ctx, gocqldriver.New(session), shopMigrations(), migrate.Config{}))
	_, err := migrate.Status(ctx, gocqldriver.New(session), shopMigrations(), migrate.Config{})
	require.Equal(t, want, err)
	_, err = migrate.Owners(ctx, gocqldriver.New(session))
	require.Equal(t, want, err)
}

func TestMigrateUpNeedsKeyspace(t *testing.T) {
	t.Parallel()
	session, err := gocqlx.WrapSession(cassandra.CreateSession(t.Context(), cassandra.Test(t).Cluster()))
	require.NoError(t, err)
	defer session.Close()
	err = migrate.Up(t.Context(), gocqldriver.New(session), shopMigrations(), migrate.Config{})
	require.ErrorIs(t, err, migrate.ErrNoKeyspace)
	require.ErrorContains(t, err, "set Keyspace of the gocql.ClusterConfig")
}

func customerNames(t *testing.T, session gocqlx.Session) map[int]string {
	t.Helper()
	names := map[int]string{}
	rows := session.Session.Query("SELECT id, name FROM customers").NoSkipMetadata().Iter()
	var id int
	var name string
	for rows.Scan(&id, &name) {
		names[id] = name
	}
	require.NoError(t, rows.Close())
	return names
}

func visits(t *testing.T, session gocqlx.Session) int64 {
	t.Helper()
	var n int64
	require.NoError(t, session.Session.Query("SELECT n FROM visits WHERE id = 1").NoSkipMetadata().Scan(&n))
	return n
}

func TestMain(m *testing.M) { suite.Main(m) }
