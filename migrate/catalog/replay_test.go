package catalog_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
)

func replay(t *testing.T, texts ...string) (*catalog.Keyspace, error) {
	t.Helper()
	fsys := fstest.MapFS{}
	for i, text := range texts {
		name, err := folder.FileName(i+1, "step")
		require.NoError(t, err)
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	files, err := folder.Read(fsys)
	require.NoError(t, err)
	return catalog.Replay(files)
}

func replayed(t *testing.T, texts ...string) string {
	t.Helper()
	k, err := replay(t, texts...)
	require.NoError(t, err)
	return strings.Join(k.Statements(), ";\n")
}

func TestReplay(t *testing.T) {
	got := replayed(t, `
CREATE TYPE vehicle (plate varchar, color text);
CREATE TABLE "Orders" (id int, at timestamp, total decimal, note text STATIC, v frozen<vehicle>, PRIMARY KEY (id, at))
  WITH CLUSTERING ORDER BY (at DESC) AND ID = 5a1c395e-b41f-11e5-9f22-ba0be0483c18 AND comment = 'x' AND gc_grace_seconds = 864000;
INSERT INTO "Orders" (id, at) VALUES (1, 2);
CREATE INDEX ON "Orders" (total) USING 'SAI';
GRANT SELECT ON KEYSPACE shop TO ana;
CREATE TABLE other.thing (id int PRIMARY KEY);
`, `
ALTER TYPE vehicle ADD year int;
ALTER TYPE vehicle RENAME color TO colour;
ALTER TABLE "Orders" ADD (a int, b set<text>);
ALTER TABLE "Orders" RENAME at TO placed_at;
ALTER TABLE "Orders" DROP note;
CREATE INDEX tags ON "Orders" (b) USING 'sai';
ALTER TABLE "Orders" WITH comment = '' AND caching = {'keys': 'NONE'};
DROP INDEX "Orders_total_idx";
ALTER TABLE "Orders" DROP (a, total) USING TIMESTAMP 1;
`)
	require.Equal(t, `CREATE TYPE IF NOT EXISTS vehicle (
    plate text,
    colour text,
    year int
);
CREATE TABLE IF NOT EXISTS "Orders" (
    id int,
    placed_at timestamp,
    v frozen<vehicle>,
    b set<text>,
    PRIMARY KEY (id, placed_at)
) WITH CLUSTERING ORDER BY (placed_at DESC)
    AND caching = {'keys': 'NONE', 'rows_per_partition': 'NONE'};
CREATE INDEX IF NOT EXISTS tags ON "Orders" (values(b)) USING 'sai'`, got)
}

// IF NOT EXISTS does not change an existing object with another definition.
func TestReplayOfIfNotExists(t *testing.T) {
	got := replayed(t, `
CREATE TABLE t (id int PRIMARY KEY, n int);
CREATE TABLE IF NOT EXISTS t (id text PRIMARY KEY);
ALTER TABLE t ADD IF NOT EXISTS n text;
ALTER TABLE IF EXISTS nowhere ADD n text;
ALTER TABLE t DROP IF EXISTS nothing;
DROP TABLE IF EXISTS nowhere;
DROP TYPE IF EXISTS nowhere;
DROP INDEX IF EXISTS nowhere;
CREATE TYPE u (a int);
CREATE TYPE IF NOT EXISTS u (b int);
ALTER TYPE u ADD IF NOT EXISTS a text;
DROP TYPE u;
`)
	require.Equal(t, "CREATE TABLE IF NOT EXISTS t (\n    id int PRIMARY KEY,\n    n int\n)", got)
}

func TestReplayRefusesWhatTheServerRefuses(t *testing.T) {
	const before = "CREATE TYPE u (a int); CREATE TYPE k (a int); CREATE TABLE t (id int, c frozen<u>, p frozen<k>, n int, m u, s text STATIC, PRIMARY KEY ((id, p), c)); CREATE INDEX i ON t (n);\n"
	const view = "CREATE MATERIALIZED VIEW w AS SELECT * FROM t WHERE id IS NOT NULL PRIMARY KEY ((c), id, p);"
	for statement, want := range map[string]string{
		"CREATE TABLE t (id int PRIMARY KEY)":                              "table t already exists",
		"CREATE TYPE u (b int)":                                            "type u already exists",
		"CREATE TYPE v (b w)":                                              "there is no type w",
		"CREATE TYPE v (b int, b text)":                                    "type v has two fields b",
		"CREATE TABLE v (id int PRIMARY KEY, a w)":                         "there is no type w",
		"CREATE TABLE v (id int PRIMARY KEY, a int STATIC)":                "column a of v is static, but the table has no clustering column",
		"CREATE TABLE v (id counter PRIMARY KEY)":                          "column id of the primary key of v cannot be counter",
		"CREATE TABLE v (id int PRIMARY KEY, a counter, b int)":            "table v would have both counters and other columns",
		"ALTER TABLE v ADD a int":                                          "there is no table v",
		"ALTER TABLE t ADD n int":                                          "table t already has a column n",
		"ALTER TABLE t ADD a counter":                                      "table t has no counters: counter a cannot be added",
		"ALTER TABLE t DROP c":                                             "column c of t is part of the primary key",
		"ALTER TABLE t DROP n":                                             "column n of t cannot be dropped before its index i",
		"ALTER TABLE t DROP m":                                             "column m of t is u, which is not frozen, and cannot be dropped",
		"ALTER TABLE t DROP a":                                             "table t has no column a",
		"ALTER TABLE t RENAME n TO o":                                      "column n of t is not part of the primary key",
		"ALTER TABLE t RENAME c TO n":                                      "table t already has a column n",
		"CREATE INDEX j ON t (c) USING 'sai'; ALTER TABLE t RENAME c TO d": "column c of t cannot be renamed while it has the index j",
		"CREATE TABLE v (id int, a int, PRIMARY KEY (id, a)) WITH CLUSTERING ORDER BY (b ASC)": "CLUSTERING ORDER BY has b, which is not clustering column 1",
		"ALTER TYPE w ADD b int":                             "there is no type w",
		"ALTER TYPE k ADD b int":                             "type k cannot get new fields: column p of the partition key of t uses it",
		"ALTER TYPE u ADD a int":                             "type u already has a field a",
		"ALTER TYPE u ADD b frozen<u>":                       "type u cannot contain itself",
		"ALTER TYPE u RENAME b TO c":                         "type u has no field b",
		"DROP TYPE u":                                        "type u cannot be dropped: column c of t uses it",
		"DROP TABLE v":                                       "there is no table v",
		"ALTER TABLE t ADD a list<list<int>>":                "list<int> in list is not frozen: write frozen<list<int>>",
		"ALTER TABLE t ADD a map<duration, int>":             "a duration cannot be in a set, nor the key of a map",
		"ALTER TABLE t ADD a list<counter>":                  "a counter cannot be in a list",
		"ALTER TABLE t ADD a vector<int, 0>":                 "a vector cannot have 0 elements",
		"ALTER TYPE u ADD b counter":                         "field b of type u cannot be a counter",
		"ALTER TYPE u ADD b k":                               "field b of type u is not frozen: write frozen<k>",
		"CREATE TYPE l (a list<int>); ALTER TABLE t ADD x l": "column x of t is not frozen, and neither is field a of type l",
		"CREATE TABLE v (id duration PRIMARY KEY)":           "column id of the primary key of v cannot be duration",
		"CREATE TABLE v (id int, PRIMARY KEY (ID, no))":      "no of the primary key of v is not a column",
		"CREATE TABLE v (id int PRIMARY KEY, n counter) WITH default_time_to_live = 5": "default_time_to_live must be 0",
		"ALTER TABLE t RENAME c TO d AND id TO d":                                      "two columns of t cannot be renamed to d",
		"ALTER TABLE t RENAME IF EXISTS nothing TO d":                                  "table t has no column nothing",
		"ALTER TABLE t ADD v vector<frozen<u>, 2>; ALTER TABLE t DROP v":               "a server that drops a vector of a user-defined type cannot start again",
		view + "DROP TABLE t":                     "table t cannot be dropped before its view w",
		view + "ALTER TABLE t DROP s":             "column s of t cannot be dropped while the table has the view w",
		view + "ALTER TABLE w ADD x int":          "w is a view, not a table",
		"DROP INDEX j":                            "there is no index j",
		"CREATE INDEX i ON t (s)":                 "index i already exists",
		"CREATE INDEX j ON t (n)":                 "index j is equal to index i",
		"CREATE INDEX j ON t (a)":                 "table t has no column a to index",
		`CREATE TABLE "a b" (id int PRIMARY KEY)`: `the name of table "a b" is invalid`,
		"CREATE TABLE " + strings.Repeat("t", 223) + " (id int PRIMARY KEY)": "it must have 1 to 222 letters, digits and _",
		`CREATE INDEX "a-b" ON t (s)`:                                        `the name of index "a-b" is invalid`,
		"CREATE INDEX " + strings.Repeat("i", 223) + " ON t (s)":             "it must have 1 to 222 letters, digits and _",
	} {
		_, err := replay(t, before+statement)
		require.ErrorContains(t, err, "0001_step.cql:2:", statement)
		require.ErrorContains(t, err, want, statement)
		require.ErrorContains(t, err, "; the server would refuse this: fix this statement, or one before it")
		require.IsType(t, &folder.SyntaxError{}, err)
	}
}

// A cqlsh command would fail at the first deployment.
func TestReplayRefusesOtherLanguages(t *testing.T) {
	const fix = "; remove it, or write valid CQL"
	for _, word := range strings.Fields("CAPTURE CLEAR CLS CONSISTENCY COPY DEBUG EXIT EXPAND HELP HISTORY LOGIN PAGING QUIT SERIAL SHOW SOURCE TRACING source") {
		_, err := replay(t, "CREATE TYPE u (a int);\n  -- why\n  "+word+" 'x';")
		require.EqualError(t, err, "0001_step.cql:3:3: "+word+" is a cqlsh command, not a CQL statement"+fix)
		require.IsType(t, &folder.SyntaxError{}, err)
	}
	for statement, first := range map[string]string{"CRAETE TABLE t (id int PRIMARY KEY)": "CRAETE", `"SELECT" 1`: `"SELECT"`, "'DROP'": "'DROP'", "(a)": "("} {
		_, err := replay(t, statement)
		require.EqualError(t, err, "0001_step.cql:1:1: no CQL statement begins with "+first+fix)
	}
}

// Statements that change no type, table or index are ignored.
func TestReplayIgnoresOtherStatements(t *testing.T) {
	for _, statement := range []string{
		"INSERT INTO t (a) VALUES (1)", "update t SET a = 1 WHERE b = 2", "DELETE FROM t WHERE a = 1", "TRUNCATE t",
		"BEGIN BATCH INSERT INTO t (a) VALUES (1); APPLY BATCH", "CREATE ROLE ana", "ALTER ROLE ana WITH LOGIN = true",
		"DROP ROLE ana", "GRANT SELECT ON t TO ana", "REVOKE SELECT ON t FROM ana", "ADD IDENTITY 'x' TO ROLE 'ana'",
	} {
		require.Empty(t, replayed(t, statement), statement)
	}
}

func TestReplayReportsPositionsOfSyntaxErrors(t *testing.T) {
	for text, want := range map[string]string{
		"CREATE TABLE t (id int PRIMARY KEY":                                               "0001_step.cql:1:35: want ), found the end",
		"CREATE TABLE t (id int, n int)":                                                   "0001_step.cql:1:31: table t has no PRIMARY KEY",
		"\nCREATE TABLE t (id bag<int> PRIMARY KEY)":                                       "0001_step.cql:2:20: unknown type bag<>",
		"CREATE TABLE t (id int PRIMARY KEY) WITH COMPACT STORAGE":                         "0001_step.cql:1:42: COMPACT STORAGE is not supported",
		"CREATE TABLE t (id int PRIMARY KEY) WITH comment 'x'":                             "0001_step.cql:1:50: want =, found 'x'",
		"CREATE TABLE t (id int PRIMARY KEY) WITH cdc = true AND cdc = true":               "0001_step.cql:1:63: cdc appears twice",
		"CREATE TABLE v (id int PRIMARY KEY, a int, a int)":                                "0001_step.cql:1:44: table v has two columns a",
		"CREATE TABLE t (id int, a int, PRIMARY KEY (id, a)) WITH CLUSTERING ORDER BY (a)": "0001_step.cql:1:80: want ASC, found )",
		"ALTER TABLE t ALTER n TYPE text":                                                  "0001_step.cql:1:23: the type of a column cannot change",
		"ALTER TYPE t DROP n":                                                              "0001_step.cql:1:14: want ADD or RENAME, found DROP",
		"CREATE TABLE t (id int PRIMARY KEY) WITH":                                         "0001_step.cql:1:41: want a name, found the end",
		"CREATE TABLE t (id int PRIMARY KEY) WITH caching = {'keys': 'ALL',}":              "want 'name': value, found }",
		"CREATE TABLE t (id int PRIMARY KEY) WITH speculative_retry = '100p'":              "invalid speculative_retry \"100p\": use ALWAYS, NEVER, a percentile between 0 and 100",
		"CREATE TABLE t (id int PRIMARY KEY) WITH speculative_retry = '99.99999p'":         "1:62: invalid speculative_retry \"99.99999p\": a server stores it as 100p, and cannot start again with that value",
		"CREATE TABLE t (id int PRIMARY KEY, n frozen<varchar>)":                           "0001_step.cql:1:39: invalid frozen<text>",
		"CREATE TABLE select (id int PRIMARY KEY)":                                         "0001_step.cql:1:14: select is a keyword of CQL: write it in quotes",
		"CREATE TABLE t (id int PRIMARY KEY, n ttl)":                                       "0001_step.cql:1:39: ttl is a keyword of CQL: write a type of this name in quotes",
		`CREATE TYPE "list" (a int)`:                                                       "0001_step.cql:1:13: a server accepts a type list, but cannot start again with it",
		"CREATE INDEX i ON t (a) WITH OPTIONS = {}":                                        "0001_step.cql:1:30: an index of this class has no property options",
		"CREATE INDEX i ON t (a) USING sai":                                                "0001_step.cql:1:31: want 'class', found sai",
		"DROP TABLE t CASCADE":                                                             "0001_step.cql:1:14: unexpected CASCADE",
	} {
		_, err := replay(t, text)
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, "; write valid CQL")
	}
}

func TestReplayAcceptsLongNames(t *testing.T) {
	table, index := strings.Repeat("t", 222), strings.Repeat("i", 222)
	_, err := replay(t, "CREATE TABLE "+table+" (id int PRIMARY KEY, s text); CREATE INDEX "+index+" ON "+table+" (s)")
	require.NoError(t, err)
}

// Statements that look invalid but are valid, and the resulting keyspace.
func TestReplayAcceptsWhatTheServerAccepts(t *testing.T) {
	got := replayed(t, `
CREATE TYPE u (a int,, b text,);
CREATE TYPE key (a frozen<u>);
CREATE TABLE t (id int PRIMARY KEY, static text, s set<frozen<u>>, f frozen<list<list<u>>>,) WITH "gc_grace_seconds" = '+007' AND cdc = 'YES' AND comment = list;
CREATE TABLE IF NOT EXISTS t (id frozen<u>, id2 list<list<int>>, PRIMARY KEY (nothing)) WITH nothing = 5;
ALTER TABLE t DROP (s, s);
ALTER TABLE t ADD s set<frozen<u>>;
ALTER TABLE t ADD w time;
ALTER TABLE t WITH bloom_filter_fp_chance = -1 AND caching = {'rows_per_partition': '010'} AND min_index_interval = '64'`, `
ALTER TYPE u RENAME a TO b AND b TO a;
`)
	require.Equal(t, `CREATE TYPE IF NOT EXISTS u (
    b int,
    a text
);
CREATE TYPE IF NOT EXISTS key (
    a frozen<u>
);
CREATE TABLE IF NOT EXISTS t (
    id int PRIMARY KEY,
    static text,
    f frozen<list<frozen<list<frozen<u>>>>>,
    s set<frozen<u>>,
    w time
) WITH caching = {'keys': 'NONE', 'rows_per_partition': '10'}
    AND cdc = true
    AND comment = 'list'
    AND gc_grace_seconds = 7
    AND min_index_interval = 64`, got)
}

func TestReplayKeepsDroppedColumns(t *testing.T) {
	k, err := replay(t, "CREATE TABLE t (id int PRIMARY KEY, a int, b int); ALTER TABLE t DROP a; ALTER TABLE t ADD a int; ALTER TABLE t DROP (a, b)")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"a", "b"}, keys(k.Dropped["t"]))
	k, err = replay(t, "CREATE TABLE t (id int PRIMARY KEY, a int); ALTER TABLE t DROP a; DROP TABLE t; CREATE TABLE t (id int PRIMARY KEY, a text)")
	require.NoError(t, err, "another table of the name")
	require.Empty(t, k.Dropped)
}

func TestFalsePositivesDoNotFollowTheCompaction(t *testing.T) {
	k, err := replay(t, "CREATE TABLE t (id int PRIMARY KEY); ALTER TABLE t WITH compaction = {'class': 'LeveledCompactionStrategy'}")
	require.NoError(t, err)
	require.Equal(t, []schema.Property{
		{Name: "bloom_filter_fp_chance", Value: "0.01"}, {Name: "compaction", Value: "{'class': 'LeveledCompactionStrategy'}"},
	}, k.Table("t").Properties)
}

func TestManualObjectsAreRecorded(t *testing.T) {
	k, err := replay(t, "-- aml:manual audit\nCREATE TABLE audit (id int PRIMARY KEY);")
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"audit": true}, k.Manual)
}

func keys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

func FuzzApply(f *testing.F) {
	for _, s := range []string{
		"CREATE TABLE t (a int, b text STATIC, PRIMARY KEY ((a), b)) WITH CLUSTERING ORDER BY (b DESC) AND caching = {'keys': 'ALL'}",
		"CREATE TYPE u (a frozen<map<int, list<u>>>)", "ALTER TABLE t RENAME a TO b AND c TO d", "ALTER TABLE t ALTER c MASKED WITH f(1)",
		"CREATE CUSTOM INDEX i ON t (values(c)) USING 'sai' WITH OPTIONS = {'a': 'b'}", `DROP TABLE "a".b`, "ALTER TABLE t ADD (a int, b int)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = (&catalog.Keyspace{}).Apply(text)
	})
}

// The replay of any folder returns either an error with a position or a keyspace that can be printed.
func FuzzReplay(f *testing.F) {
	f.Add("CREATE TYPE u (a int); CREATE TABLE t (a int PRIMARY KEY, b frozen<u>); ALTER TYPE u ADD b frozen<map<int, text>>; CREATE INDEX ON t (b)")
	f.Add("CREATE TABLE t (a int, b int, c list<int>, PRIMARY KEY (a, b)); ALTER TABLE t DROP c; ALTER TABLE t ADD c list<int>; ALTER TABLE t RENAME b TO c; DROP TABLE t")
	f.Add("-- aml:manual x\nCREATE TABLE x (a int PRIMARY KEY) WITH caching = {'keys': 'ALL'} AND comment = $$y$$; DROP TYPE IF EXISTS z")
	f.Fuzz(func(t *testing.T, text string) {
		files, err := folder.Read(fstest.MapFS{"0001_a.cql": {Data: []byte(text)}})
		if err != nil {
			return
		}
		k, err := catalog.Replay(files)
		if err != nil {
			require.IsType(t, &folder.SyntaxError{}, err)
			return
		}
		require.Equal(t, k.CQL(), k.Clone().CQL())
	})
}

// A statement whose second word is misspelled is refused, like one whose first word is. Statements that do not change the schema of tables
// are accepted.
func TestMisspelledObjectsAreRefused(t *testing.T) {
	replay := func(text string) error {
		files, err := folder.Read(fstest.MapFS{"0001_step.cql": {Data: []byte(text)}})
		require.NoError(t, err)
		_, err = catalog.Replay(files)
		return err
	}
	for text, want := range map[string]string{
		"CREATE TABEL t (id int PRIMARY KEY)":                    "CREATE TABEL (did you mean TABLE?)",
		"alter tabel t add a int":                                "alter tabel (did you mean TABLE?)",
		"DROP TIPE address":                                      "DROP TIPE (did you mean TYPE?)",
		"CREATE CUSTOM INDX ON t (a)":                            "CREATE CUSTOM INDX (did you mean INDEX?)",
		"CREATE MATERIALIZED VEIW v AS SELECT a FROM t":          "CREATE MATERIALIZED VEIW (did you mean VIEW?)",
		"INSERT INTOO t (id) VALUES (1)":                         "INSERT INTOO (did you mean INTO?)",
		"BEGIN BACTH INSERT INTO t (id) VALUES (1); APPLY BATCH": "BEGIN BACTH (did you mean BATCH?)",
		"CREATE (id int)":                                        "CREATE (",
		"DROP":                                                   "DROP",
		"CREATE OR REPLACE FUNCTOIN f(a int)":                    "CREATE OR REPLACE FUNCTOIN (did you mean FUNCTION?)",
	} {
		require.EqualError(t, replay(text), "0001_step.cql:1:1: no CQL statement begins with "+want+"; remove it, or write valid CQL", text)
	}
	for _, text := range []string{
		"CREATE ROLE clerk", "DROP USER ana", "CREATE KEYSPACE k WITH replication = {}", "CREATE OR REPLACE FUNCTION f(a int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS $$ $$",
		"CREATE FUNCTION IF NOT EXISTS f(a int) RETURNS int", "CREATE AGGREGATE a(int) SFUNC f STYPE int", "CREATE TRIGGER t ON x USING 'y'", "ALTER ROLE clerk WITH LOGIN = true",
		"BEGIN UNLOGGED BATCH INSERT INTO t (id) VALUES (1); APPLY BATCH", "INSERT INTO t JSON '{}'", "DROP FUNCTION f", "TRUNCATE t", "GRANT SELECT ON t TO clerk", "DELETE FROM t WHERE id = 1",
		"ADD IDENTITY 'x' TO ROLE clerk", "DROP IDENTITY 'x'",
	} {
		require.NoError(t, replay(text), text)
	}
}
