package migrate

import (
	"strings"
	"testing"

	"github.com/cassaml/cassaml/internal/schemachange"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEffectOf(t *testing.T) {
	const id = "5a1c395e-b41f-11e5-9f22-ba0be0483c18"
	for statement, want := range map[string]*effect{
		"CREATE TABLE Orders (id int PRIMARY KEY)":                                                 {object: tableObject, keyspace: "shop", name: "orders", some: true},
		`create /* x */ table IF NOT EXISTS "Or""ders"(id int)`:                                    {object: tableObject, keyspace: "shop", name: `Or"ders`, some: true},
		"CREATE TABLE other.t (id int) WITH comment = 'x' AND ID = " + id:                          {object: tableObject, keyspace: "other", name: "t", some: true, has: []string{id}},
		"CREATE TABLE t (id int) WITH ID='" + id + "'":                                             {object: tableObject, keyspace: "shop", name: "t", some: true, has: []string{id}},
		"CREATE TABLE IF NOT EXISTS t (id int) WITH ID = " + id:                                    {object: tableObject, keyspace: "shop", name: "t", some: true},
		"CREATE TYPE address (street text)":                                                        {object: typeObject, keyspace: "shop", name: "address", some: true},
		"CREATE MATERIALIZED VIEW v AS SELECT a FROM t WHERE a IS NOT NULL PRIMARY KEY (a)":        {object: viewObject, keyspace: "shop", name: "v", some: true},
		"ALTER TABLE t ADD a int":                                                                  {object: columnObject, keyspace: "shop", name: "t", has: []string{"a"}},
		"ALTER TABLE t ADD IF NOT EXISTS (a map<text, frozen<tuple<int, int>>>, \"B\" int static)": {object: columnObject, keyspace: "shop", name: "t", has: []string{"a", "B"}},
		"ALTER TABLE t DROP a":                                                                     {object: columnObject, keyspace: "shop", name: "t", lacks: []string{"a"}},
		"ALTER TABLE t DROP IF EXISTS (a, b) USING TIMESTAMP 5":                                    {object: columnObject, keyspace: "shop", name: "t", lacks: []string{"a", "b"}},
		"ALTER TABLE t RENAME a TO b AND c TO d":                                                   {object: columnObject, keyspace: "shop", name: "t", lacks: []string{"a", "c"}, has: []string{"b", "d"}},
		"ALTER TYPE address ADD zip text":                                                          {object: typeObject, keyspace: "shop", name: "address", has: []string{"zip"}},
		"ALTER TYPE address RENAME zip TO code":                                                    {object: typeObject, keyspace: "shop", name: "address", lacks: []string{"zip"}, has: []string{"code"}},
		"ALTER TABLE IF EXISTS t ADD a int":                                                        {object: columnObject, keyspace: "shop", name: "t", has: []string{"a"}, ifThere: true},
		"ALTER TABLE IF EXISTS t DROP IF EXISTS a":                                                 {object: columnObject, keyspace: "shop", name: "t", lacks: []string{"a"}, ifThere: true},
		"ALTER TABLE IF EXISTS t RENAME IF EXISTS a TO b":                                          {object: columnObject, keyspace: "shop", name: "t", lacks: []string{"a"}, has: []string{"b"}, unless: true, ifThere: true},
		"ALTER TYPE IF EXISTS address ADD zip text":                                                {object: typeObject, keyspace: "shop", name: "address", has: []string{"zip"}, ifThere: true},
		"DROP TABLE IF EXISTS other.t":                                                             {object: tableObject, keyspace: "other", name: "t", none: true},
		"DROP TYPE address":                                                                        {object: typeObject, keyspace: "shop", name: "address", none: true},
		"DROP INDEX i":                                                                             {object: indexObject, keyspace: "shop", lacks: []string{"i"}},
		"DROP MATERIALIZED VIEW v":                                                                 {object: viewObject, keyspace: "shop", name: "v", none: true},
		"CREATE INDEX ON t (Color)":                                                                {object: indexObject, keyspace: "shop", index: &index{keyspace: "shop", table: "t", column: "color"}},
		"CREATE CUSTOM INDEX IF NOT EXISTS i ON other.t (values(m)) USING 'sai'": {object: indexObject, keyspace: "other", unless: true,
			index: &index{keyspace: "other", name: "i", table: "t", column: "m", function: "values", class: "sai"}},
		"CREATE CUSTOM INDEX i ON t (a, \"B\") USING 'com.example.Both' WITH OPTIONS = {}": {object: indexObject, keyspace: "shop",
			index: &index{keyspace: "shop", name: "i", table: "t", column: "a", more: true, class: "Both"}},
		"CREATE CUSTOM INDEX ON t (a, b) USING 'com.example.Both'": nil,

		"INSERT INTO t (id) VALUES (1)":         nil,
		"ALTER TABLE t WITH comment = 'x'":      nil,
		"CREATE ROLE ana":                       nil,
		"CREATE OR REPLACE FUNCTION f (a int)":  nil,
		"DROP FUNCTION f":                       nil,
		"ALTER TABLE t":                         nil,
		"ALTER TABLE t RENAME a b":              nil,
		"ALTER TABLE IF EXISTS t WITH a = 1":    nil,
		"ALTER TYPE t RENAME x TO z AND y TO x": {object: typeObject, keyspace: "shop", name: "t", has: []string{"z", "x"}, lacks: []string{"y"}},
		"ALTER TYPE t RENAME x TO y AND y TO z": {object: typeObject, keyspace: "shop", name: "t", has: []string{"z"}, lacks: []string{"x", "y"}},
		"ALTER TYPE t RENAME IF EXISTS x TO y":  {object: typeObject, keyspace: "shop", name: "t", has: []string{"y"}, lacks: []string{"x"}, unless: true},
		"CREATE TABLE":                          nil,
		"ALTER MATERIALIZED VIEW v WITH a = 1":  nil,
	} {
		assert.Equal(t, want, effectOf(statement, "shop"), statement)
	}
}

func TestEffectHolds(t *testing.T) {
	assert.False(t, effect{some: true}.holds(nil))
	assert.True(t, effect{some: true}.holds([]string{"a"}))
	assert.True(t, effect{none: true}.holds(nil))
	assert.False(t, effect{none: true}.holds([]string{"a"}))
	assert.True(t, effect{has: []string{"a", "b"}}.holds([]string{"b", "c", "a"}))
	assert.False(t, effect{has: []string{"a", "b"}}.holds([]string{"b"}))
	assert.True(t, effect{has: []string{"a"}, ifThere: true}.holds(nil), "no such table")
	assert.False(t, effect{has: []string{"a"}, ifThere: true}.holds([]string{"b"}))
	assert.False(t, effect{has: []string{"a"}, lacks: []string{"b"}}.holds([]string{"a", "b"}), "half a rename")
}

func TestWithID(t *testing.T) {
	sent := func(statements ...string) string {
		f := folder.File{Number: 7, Name: "0007_x.cql"}
		for _, s := range statements {
			f.Statements = append(f.Statements, folder.Statement{Text: s})
		}
		n := len(statements) - 1
		return withID(step{file: &f, record: record{applied: &n}}, "shop", "")
	}
	id := schemachange.TableID("shop.t.7").String()
	assert.Equal(t, "CREATE TABLE t (id int PRIMARY KEY) WITH ID = "+id, sent("CREATE TABLE t (id int PRIMARY KEY)"))
	assert.Equal(t, "create table IF NOT EXISTS T (a int, b map<int, text>, PRIMARY KEY ((a), b)) /* x */ with ID = "+id+" AND comment = ');'",
		sent("create table IF NOT EXISTS T (a int, b map<int, text>, PRIMARY KEY ((a), b)) /* x */ with comment = ');'"))
	assert.Equal(t, "CREATE TABLE t (id int) WITH ID = "+schemachange.TableID("shop.t.7.2").String(),
		sent("CREATE TABLE shop.t (id int)", "DROP TABLE t", "CREATE TABLE t (id int)"), "two tables of one name")
	assert.Contains(t, sent(`CREATE TABLE "Other"."T" (id int)`), schemachange.TableID("Other.T.7").String())
	for _, same := range []string{
		"CREATE TABLE t (id int) WITH comment = 'x' AND ID = " + id, "CREATE TABLE t (id int) WITH id='x'",
		"CREATE TYPE t (id int)", "INSERT INTO t (id) VALUES (1)", "CREATE TABLE t LIKE u", "CREATE TABLE t (id int", "DROP TABLE t",
	} {
		assert.Equal(t, same, sent(same))
	}
}

func TestIndexProbe(t *testing.T) {
	for _, c := range []struct{ function, cqlType, want string }{
		{"", "int", `SELECT "id" FROM "shop"."t" WHERE "C" = 0 LIMIT 1`},
		{"", "timeuuid", `SELECT "id" FROM "shop"."t" WHERE "C" = 00000000-0000-1000-8000-000000000000 LIMIT 1`},
		{"", "set<text>", `SELECT "id" FROM "shop"."t" WHERE "C" CONTAINS 'a' LIMIT 1`},
		{"values", "map<text, int>", `SELECT "id" FROM "shop"."t" WHERE "C" CONTAINS 0 LIMIT 1`},
		{"keys", "map<text, int>", `SELECT "id" FROM "shop"."t" WHERE "C" CONTAINS KEY 'a' LIMIT 1`},
		{"entries", "map<text, int>", `SELECT "id" FROM "shop"."t" WHERE "C"['a'] = 0 LIMIT 1`},
		{"full", "frozen<list<frozen<address>>>", `SELECT "id" FROM "shop"."t" WHERE "C" = [] LIMIT 1`},
		{"", "frozen<address>", `SELECT "id" FROM "shop"."t" WHERE "C" = ? LIMIT 1`},
		{"", "list<frozen<address>>", `SELECT "id" FROM "shop"."t" WHERE "C" CONTAINS ? LIMIT 1`},
		{"", "frozen<tuple<int, frozen<tuple<text, frozen<address>>>>>", `SELECT "id" FROM "shop"."t" WHERE "C" = (0, ('a', ?)) LIMIT 1`},
		{"keys", "map<frozen<tuple<int, int>>, int>", `SELECT "id" FROM "shop"."t" WHERE "C" CONTAINS KEY (0, 0) LIMIT 1`},
		{"full", "frozen<map<text, int>>", `SELECT "id" FROM "shop"."t" WHERE "C" = {} LIMIT 1`},
		{"", "vector<float, 3>", `SELECT "id" FROM "shop"."t" ORDER BY "C" ANN OF [1,1,1] LIMIT 1`},
	} {
		got, values, ok := index{keyspace: "shop", table: "t", column: "C", function: c.function}.probe(c.cqlType, "id")
		require.True(t, ok, c.cqlType)
		assert.Equal(t, c.want, got)
		assert.Len(t, values, strings.Count(got, "?"))
	}
	for _, cqlType := range []string{"vector<int, 2>", "list<vector<float, 2>>", ""} {
		_, _, ok := index{column: "c"}.probe(cqlType, "id")
		assert.False(t, ok, cqlType)
	}
}

// FuzzDDL checks that any text can be parsed without a panic, and that a CREATE TABLE with an added id is still one statement that creates
// the same table.
func FuzzDDL(f *testing.F) {
	for _, seed := range []string{
		"CREATE TABLE t (id int PRIMARY KEY)", "create table if not exists \"a\"\"b\".c (a map<int,frozen<list<text>>>) with x = {'a': ')'} and id = 1",
		"ALTER TABLE t ADD (a int, b text)", "ALTER TYPE t RENAME a TO b AND", "CREATE CUSTOM INDEX ON a.b (entries(c)) USING 'x'", "DROP TABLE", "CREATE TABLE t (",
		"CREATE TABLE t () WITH ID =", "-- aml:func x\nCREATE TABLE (((", "ALTER TABLE t DROP (a", "CREATE INDEX ON t (\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		statements, err := folder.Split(text)
		if err != nil {
			return
		}
		for _, s := range statements {
			effectOf(s.Text, "shop")
			ks, table, ok := createdTable(s.Text, "shop")
			if !ok {
				continue
			}
			id := schemachange.TableID("x")
			sent := insertID(s.Text, id)
			again, err := folder.Split(sent)
			require.NoError(t, err)
			require.Len(t, again, 1, sent)
			nowKS, nowTable, _ := createdTable(sent, "shop")
			require.Equal(t, []string{ks, table}, []string{nowKS, nowTable})
			if sent != s.Text {
				require.Equal(t, sent, insertID(sent, id), "it has one now")
			}
		}
	})
}
