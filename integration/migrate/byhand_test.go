package migrate_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
)

// doneByHand are statements that the server accepts although an object with the name exists, and that then may have no
// effect.
var doneByHand = []struct {
	before, statement, log string
}{
	{"CREATE TABLE a (id int PRIMARY KEY)", "CREATE TABLE IF NOT EXISTS a (id text PRIMARY KEY, b int)", ""},
	{"CREATE TYPE ty (a int)", "CREATE TYPE IF NOT EXISTS ty (a int, b int)", ""},
	{"ALTER TABLE t ADD n1 int", "ALTER TABLE t ADD IF NOT EXISTS (n1 int, n2 int)", ""},
	{"ALTER TABLE t ADD n3 int", "ALTER TABLE t ADD IF NOT EXISTS n3 int", ""},
	{"", "ALTER TYPE ty ADD IF NOT EXISTS a int", ""},
	{"ALTER TABLE t DROP n1", "ALTER TABLE t DROP IF EXISTS (n1, n2)", ""},
	{"", "ALTER TABLE t DROP IF EXISTS nope", ""},
	{"", "ALTER TABLE IF EXISTS nope ADD n int", ""},
	{"", "ALTER TYPE IF EXISTS nope ADD n int", ""},
	{"", "ALTER TYPE ty RENAME IF EXISTS nope TO z", ""},
	{"ALTER TYPE ty RENAME a TO z", "ALTER TYPE ty RENAME IF EXISTS a TO z", ""},
	{"", "DROP INDEX IF EXISTS nope", ""},
	{"", "DROP TYPE IF EXISTS nope", ""},
	{"", "DROP TABLE IF EXISTS nope", ""},
	{"", "DROP MATERIALIZED VIEW IF EXISTS nope", ""},
	{"", "DROP MATERIALIZED VIEW IF EXISTS t", ""},
	{"CREATE MATERIALIZED VIEW v AS SELECT * FROM u WHERE id IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, id)",
		"CREATE MATERIALIZED VIEW IF NOT EXISTS v AS SELECT * FROM u WHERE id IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, id)", ""},

	{"CREATE INDEX i1 ON t (c)", "CREATE INDEX IF NOT EXISTS i1 ON t (c)", ""},
	{"", "CREATE INDEX IF NOT EXISTS i2 ON t (c)", "an equal index is there under another name, and the server made no second one\" file=FILE statement=1 table=t column=c index=i2 there=i1"},
	{"", "CREATE INDEX IF NOT EXISTS ON t (c)", "an equal index is there under another name"},
	{"", "CREATE INDEX IF NOT EXISTS i1 ON t (d)", "another index has the name, and the server made no second one\" file=FILE statement=1 table=t column=d index=i1 of=t.c"},
	{"", "CREATE INDEX IF NOT EXISTS i1 ON u (c)", "another index has the name"},
	{"", "CREATE INDEX IF NOT EXISTS i3 ON t (c) USING 'sai'", ""},
	{"", "CREATE INDEX IF NOT EXISTS i4 ON t (c) USING 'sai'", "index=i4 there=i3"},
	{"", "CREATE INDEX IF NOT EXISTS i1 ON t (c) USING 'sai'", "index=i1 there=i3"},
	{"", "CREATE INDEX IF NOT EXISTS i5 ON t (c) USING 'legacy_local_table'", "index=i5 there=i1"},
	{"CREATE INDEX t_e_idx ON u (d)", "CREATE INDEX ON t (e)", ""}, // t_e_idx_1
	{"", "CREATE INDEX IF NOT EXISTS ON t (e)", ""},
	{"", "CREATE INDEX IF NOT EXISTS ON t (e) USING 'sai'", ""}, // t_e_idx_2
	{"CREATE INDEX mk ON t (keys(m))", "CREATE INDEX IF NOT EXISTS mk2 ON t (keys(m))", "index=mk2 there=mk"},
	{"CREATE INDEX mv ON t (values(m))", "CREATE INDEX IF NOT EXISTS mv2 ON t (m)", "index=mv2 there=mv"},
	{"", "CREATE INDEX IF NOT EXISTS ON t (entries(m))", ""},
	{"", "CREATE INDEX IF NOT EXISTS ON t (entries(m))", ""},
	{"CREATE INDEX ff ON t (full(f))", "CREATE INDEX IF NOT EXISTS ff2 ON t (full(f))", "index=ff2 there=ff"},
	{`CREATE INDEX cc ON t ("Cc")`, `CREATE INDEX IF NOT EXISTS cc2 ON t ("Cc")`, "index=cc2 there=cc"},
	{"", `CREATE INDEX IF NOT EXISTS ON t ("a b")`, ""},
	{"", `CREATE INDEX IF NOT EXISTS ON t ("a b")`, ""},
}

// TestMigrateUpAfterManualChanges applies statements that have been executed by hand completely, in part or similarly. Up
// must not fail at any of them: it looks for their effects in the schema.
func TestMigrateUpAfterManualChanges(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a storage-attached index")
	session := cassandra.Keyspace(t)
	require.NoError(t, session.ExecStmt(`CREATE TABLE t (id int PRIMARY KEY, c text, d text, e text, m map<text, int>, f frozen<list<int>>, "Cc" text, "a b" text)`))
	require.NoError(t, session.ExecStmt("CREATE TABLE u (id int PRIMARY KEY, c text, d text)"))
	again := oneByOne{session: session, files: fstest.MapFS{}}
	for _, c := range doneByHand {
		if c.before != "" {
			require.NoError(t, session.ExecStmt(c.before), c.before)
		}
		log, err := again.up(t, c.statement)
		require.NoError(t, err, c.statement)
		require.Contains(t, log, strings.ReplaceAll(c.log, "FILE", again.last), c.statement)
		if c.log == "" {
			require.Empty(t, log, c.statement)
		}
		if strings.Contains(c.statement, " IF ") {
			_, err := again.up(t, c.statement)
			require.NoError(t, err, "%s, after Up", c.statement)
		}
	}
}

// oneByOne is a keyspace with a folder that gets another file for each statement.
type oneByOne struct {
	session gocqlx.Session
	files   fstest.MapFS
	last    string // the name of the last file
}

// up applies a statement, and returns the warnings.
func (o *oneByOne) up(t *testing.T, statement string) (string, error) {
	t.Helper()
	o.last = fmt.Sprintf("%04d_again.cql", len(o.files)+1)
	o.files[o.last] = &fstest.MapFile{Data: []byte(statement)}
	var log bytes.Buffer
	err := migrate.Up(t.Context(), gocqldriver.New(o.session), o.files, migrate.Config{
		DDLTimeout: 5 * time.Second,
		Logger:     slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	return log.String(), err
}
