package migrations

import (
	"slices"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// The CQL that is printed for a keyspace of unusual objects creates an equal keyspace.
func TestInspectedCQLCreatesAnEqualKeyspace(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "vectors")
	archive, err := txtar.ParseFile("../command/testdata/script/import.txtar")
	require.NoError(t, err)
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "hostile.cql" })
	session := cassandra.Keyspace(t)
	execute(t, session, string(archive.Files[i].Data))
	execute(t, session, "CREATE CUSTOM INDEX sasi ON only_statics (b) USING 'org.apache.cassandra.index.sasi.SASIIndex'")
	first := inspected(t, session)
	require.NotEmpty(t, first.Notes)
	again := created(t, cassandra.Keyspace(t), &first.Schema)
	require.Empty(t, catalog.Compare(again, first))
	require.Empty(t, again.Notes)
}

// Objects of a keyspace other than types, tables and indexes are listed as notes, dropped columns are known, and the tables
// of the tool are omitted.
func TestInspectBeyondTables(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	beyond(t, session)
	k := inspected(t, session)
	require.Len(t, k.Tables, 1)
	require.Equal(t, []catalog.Note{
		{Object: "aggregate", Name: `"Sum"(int)`, Text: "a user-defined aggregate, which a model cannot declare"},
		{Object: "function", Name: "plus(int, int)", Text: "a user-defined function, which a model cannot declare"},
		{Object: "materialized view", Name: "by_b", Table: "t", Text: "on table t where b IS NOT NULL AND a IS NOT NULL; a redundant aggregate can replace it"},
		{Object: "table", Name: `"Old"`, Text: "omitted: it has compact storage, like tables of Thrift; ALTER TABLE … DROP COMPACT STORAGE removes that"},
		{Object: "table", Name: "aml_orders", Text: "omitted: names that begin with aml_ are reserved for the tool"},
		{Object: "table", Name: "classed", Text: "omitted: the type of its column b is 'org.apache.cassandra.db.marshal.LexicalUUIDType', a class of the server without a name in CQL"},
	}, k.Notes)
	require.Len(t, k.Dropped, 1)
	require.Equal(t, "set<text>", k.Dropped["t"]["gone"].Type.String())
	require.Equal(t, "frozen<tuple<int>>", k.Dropped["t"]["typed"].Type.String())
}

func beyond(t *testing.T, session gocqlx.Session) {
	t.Helper()
	execute(t, session, `
		CREATE TYPE u (a int);
		CREATE TABLE t (a int PRIMARY KEY, b text, gone set<text>, typed frozen<u>);
		ALTER TABLE t DROP gone;
		ALTER TABLE t DROP typed;
		CREATE TABLE "Old" (a int PRIMARY KEY, b text) WITH COMPACT STORAGE;
		CREATE TABLE classed (a int PRIMARY KEY, b 'LexicalUUIDType', c text);
		CREATE INDEX ON classed (c);
		CREATE TABLE aml_migrations (a int PRIMARY KEY);
		CREATE TABLE aml_work (a int PRIMARY KEY);
		CREATE TABLE aml_orders (a int PRIMARY KEY, b text);
		CREATE INDEX ON aml_orders (b);
		CREATE TABLE gocqlx_migrate (a int PRIMARY KEY);
		CREATE MATERIALIZED VIEW by_b AS SELECT a, b FROM t WHERE b IS NOT NULL AND a IS NOT NULL PRIMARY KEY (b, a);
		CREATE FUNCTION plus (x int, y int) RETURNS NULL ON NULL INPUT RETURNS int LANGUAGE java AS 'return x + y;';
		CREATE AGGREGATE "Sum" (int) SFUNC plus STYPE int INITCOND 0`)
}
