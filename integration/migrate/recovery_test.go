package migrate_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gocql/gocql"
	gocqlxmigrate "github.com/scylladb/gocqlx/v2/migrate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
)

// onceOnly are statements of every kind whose effect is visible in system_schema. The server rejects the second execution of
// each.
var onceOnly = []string{
	`CREATE TYPE address (street text)`,
	`CREATE TABLE "Customers" (id int, day date, name text, old text, home address, tags set<text>, PRIMARY KEY (id, day)) WITH CLUSTERING ORDER BY (day DESC)`,
	`ALTER TYPE address ADD "Zip" text`,
	`ALTER TYPE address RENAME street TO line`,
	`ALTER TABLE "Customers" ADD (email text, phones map<text, frozen<list<text>>>)`,
	`ALTER TABLE "Customers" ADD "Mixed" int static`,
	`ALTER TABLE "Customers" DROP (old, email, "Mixed")`,
	`ALTER TABLE "Customers" RENAME day TO date`,
	`ALTER TYPE IF EXISTS address ADD flat int`,
	`ALTER TYPE IF EXISTS address RENAME flat TO unit`,
	`ALTER TABLE IF EXISTS "Customers" ADD fax text`,
	`ALTER TABLE IF EXISTS "Customers" DROP fax`,
	`ALTER TABLE IF EXISTS "Customers" RENAME date TO day`,
	`ALTER TABLE "Customers" RENAME day TO date`,
	`CREATE INDEX by_name ON "Customers" (name) USING 'sai'`,
	`CREATE INDEX ON "Customers" (values(tags))`,
	`DROP INDEX "Customers_tags_idx"`,
	`DROP INDEX by_name`,
	`CREATE MATERIALIZED VIEW by_date AS SELECT * FROM "Customers" WHERE id IS NOT NULL AND date IS NOT NULL PRIMARY KEY (date, id)`,
	`DROP MATERIALIZED VIEW by_date`,
	`DROP TABLE "Customers"`,
	`CREATE TABLE "Customers" (id int PRIMARY KEY)`,
	`CREATE TYPE shape (n int)`,
	`DROP TYPE shape`,
}

// TestMigrateUpDetectsEffectsOfAKilledRun resets the record of each statement: first to the state of a run that was killed
// after the statement, then to that of a run that never sent it.
func TestMigrateUpDetectsEffectsOfAKilledRun(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a storage-attached index")
	session := cassandra.Keyspace(t)
	fsys := fstest.MapFS{}
	for i, statement := range onceOnly {
		name := fmt.Sprintf("%04d_step.cql", i+1)
		fsys[name] = &fstest.MapFile{Data: []byte(statement)}
		require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}), statement)
		var hashes []string
		require.NoError(t, session.Session.Query("SELECT hashes FROM aml_migrations WHERE folder = 'migrations' AND number = ?", i+1).Scan(&hashes))
		rewind := func(note bool) {
			var sending *string
			if note {
				sending = &hashes[0]
			}
			applied, err := session.Session.Query("UPDATE aml_migrations SET applied = 0, hashes = [], sending = ? WHERE folder = 'migrations' AND number = ? AND fills = '' IF EXISTS",
				sending, i+1).NoSkipMetadata().MapScanCAS(map[string]any{})
			require.NoError(t, err)
			require.True(t, applied)
		}
		rewind(false)
		require.Error(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}), "%s is not accepted twice", statement)
		rewind(true)
		require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}), statement)
	}
}

// TestMigrateUpTableIDs checks that a table that is created again has a new ID.
func TestMigrateUpTableIDs(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	keyspace := session.Session.Query("").Keyspace()
	ids := func() map[string]gocql.UUID {
		found := map[string]gocql.UUID{}
		rows := session.Session.Query("SELECT table_name, id FROM system_schema.tables WHERE keyspace_name = ?", keyspace).Iter()
		var name string
		for id := (gocql.UUID{}); rows.Scan(&name, &id); {
			found[name] = id
		}
		require.NoError(t, rows.Close())
		return found
	}
	const own = "5a1c395e-b41f-41e5-9f22-ba0be0483c18"
	fsys := migrations("0001_init.cql", "CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY) WITH comment = 'x;' AND ID = "+own)
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}))
	first := ids()
	require.Equal(t, own, first["b"].String())
	require.Equal(t, 5, first["a"].Version())
	fsys["0002_again.cql"] = &fstest.MapFile{Data: []byte("DROP TABLE a; CREATE TABLE a (id int PRIMARY KEY); DROP TABLE a; CREATE TABLE a (id int PRIMARY KEY)")}
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}))
	require.NotEqual(t, first["a"], ids()["a"])
}

// TestMigrateUpWaitsForIndexes reads by an index as soon as Up has returned. SAI rejects such reads while it builds the
// index.
func TestMigrateUpWaitsForIndexes(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "storage-attached indexes")
	session := cassandra.Keyspace(t)
	fsys := migrations("0001_init.cql", "CREATE TYPE place (city text, zip int); CREATE TABLE customers (id int PRIMARY KEY, name text, tags set<text>, spot vector<float, 2>, "+
		"home frozen<place>, pair frozen<tuple<int, text>>, homes map<frozen<tuple<int, frozen<place>>>, int>)")
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}))
	const rows = 5000
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for id := w; id < rows; id += 8 {
				assert.NoError(t, session.Session.Query("INSERT INTO customers (id, name, tags, spot, home, pair, homes) "+
					"VALUES (?, 'Ana', {'a'}, [1, 2], {city: 'a'}, (1, 'a'), {(1, {city: 'a'}): 1})", id).Exec())
			}
		})
	}
	writers.Wait()
	for i, c := range []struct{ target, where string }{
		{"name", "WHERE name = 'Ana' LIMIT 1"}, {"values(tags)", "WHERE tags CONTAINS 'a' LIMIT 1"}, {"spot", "ORDER BY spot ANN OF [1, 2] LIMIT 1"},
		{"home", "WHERE home = {city: 'a'} LIMIT 1"}, {"pair", "WHERE pair = (1, 'a') LIMIT 1"}, {"keys(homes)", "WHERE homes CONTAINS KEY (1, {city: 'a'}) LIMIT 1"},
	} {
		fsys[fmt.Sprintf("%04d_index.cql", i+2)] = &fstest.MapFile{Data: []byte("CREATE INDEX i" + fmt.Sprint(i) + " ON customers (" + c.target + ") USING 'sai'")}
		var log bytes.Buffer
		require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}))
		require.NotContains(t, log.String(), "cannot tell", c.target)
		var id int
		require.NoError(t, session.Session.Query("SELECT id FROM customers "+c.where).Scan(&id), c.target)
	}
}

// TestMigrateUpTakesOverFromGocqlx applies files with gocqlx's migrate, and continues after them.
func TestMigrateUpTakesOverFromGocqlx(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	const first, second = "CREATE TABLE customers (id int PRIMARY KEY);\nCREATE TABLE visits (id int PRIMARY KEY, n counter);", "UPDATE visits SET n = n + 1 WHERE id = 1;"
	files := fstest.MapFS{"1-init.cql": {Data: []byte(first)}, "2-count.cql": {Data: []byte(second)}}
	require.NoError(t, gocqlxmigrate.FromFS(t.Context(), session, files))

	fsys := migrations("0001_init.cql", first, "0002_count.cql", second, "0003_more.cql", "ALTER TABLE customers ADD name text")
	require.ErrorContains(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}), "gocqlx has applied 2 migrations")
	edited := migrations("0001_init.cql", first, "0002_count.cql", second+"\n")
	require.ErrorContains(t, migrate.Up(t.Context(), gocqldriver.New(session), edited, migrate.Config{ImportGocqlx: true}), "0002_count.cql: differs from the text that gocqlx applied as 2-count.cql")

	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{ImportGocqlx: true}))
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, migrate.Config{}))
	require.Equal(t, int64(1), visits(t, session))
	require.NoError(t, session.ExecStmt("INSERT INTO customers (id, name) VALUES (1, 'Ana')"))
}

// TestMigrateUpFuncsAndBackfills splits names in Go, and fills a table from another one in two runs.
func TestMigrateUpFuncsAndBackfills(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	fsys := migrations(
		"0001_init.cql", "CREATE TABLE customers (id int PRIMARY KEY, name text);\nINSERT INTO customers (id, name) VALUES (1, 'Ana'); INSERT INTO customers (id, name) VALUES (2, 'Eva')",
		"0003_by_name.cql", "-- aml:backfill customers_by_name\nCREATE TABLE customers_by_name (name text, id int, PRIMARY KEY (name, id));",
	)
	config := migrate.Config{
		Funcs: map[string]migrate.Func{"0002_shout": func(ctx context.Context, s driver.Session) error {
			return gocqldriver.Session(s).ContextQuery(ctx, "UPDATE customers SET name = 'EVA' WHERE id = 2", nil).ExecRelease()
		}},
		Backfills: map[string]migrate.Backfill{"customers_by_name": func(ctx context.Context, s driver.Session, from string, save func(string) error) error {
			for id, name := range customerNames(t, gocqldriver.Session(s)) {
				if from != "1" && id != 1 || from == "1" && id != 2 {
					continue
				}
				if err := gocqldriver.Session(s).ContextQuery(ctx, "INSERT INTO customers_by_name (name, id) VALUES (?, ?)", nil).Bind(name, id).ExecRelease(); err != nil {
					return err
				}
				if err := save(fmt.Sprint(id)); err != nil {
					return err
				}
			}
			if from == "" {
				return assert.AnError
			}
			return nil
		}},
	}
	require.ErrorIs(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config), assert.AnError)
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fsys, config))
	var asked observer
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(watch(t, session, &asked)), fsys, config))
	require.Len(t, asked.statements, 1)
	for id, name := range map[int]string{1: "Ana", 2: "EVA"} {
		var found int
		require.NoError(t, session.Session.Query("SELECT id FROM customers_by_name WHERE name = ?", name).Scan(&found))
		require.Equal(t, id, found)
	}
}

// TestMigrateUpCannotRecordWithoutTheLock takes the lock from an active run, as another run does after its lease has
// expired. The statements of the run are not recorded; it waits for the lock and starts again.
func TestMigrateUpCannotRecordWithoutTheLock(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	calls := 0
	config := migrate.Config{LockTTL: 5 * time.Second, DDLTimeout: 2 * time.Second, Funcs: map[string]migrate.Func{
		"0001_count": func(ctx context.Context, s driver.Session) error {
			if calls++; calls == 1 {
				applied, err := gocqldriver.Session(s).Session.Query("UPDATE aml_migrations SET epoch = 98 WHERE folder = 'migrations' IF epoch = 1").NoSkipMetadata().MapScanCAS(map[string]any{})
				require.NoError(t, err)
				require.True(t, applied)
			}
			return nil
		},
	}}
	epochs := map[migrate.EventKind][]int64{}
	config.Progress = func(e migrate.Event) { epochs[e.Kind] = append(epochs[e.Kind], e.Epoch) }
	require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), fstest.MapFS{}, config))
	require.Equal(t, 2, calls)
	require.Equal(t, []int64{1, 99}, epochs[migrate.EventRunning])
	require.Equal(t, []int64{99}, epochs[migrate.EventApplied])
}
