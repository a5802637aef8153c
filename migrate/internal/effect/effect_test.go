package effect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	const id = "5a1c395e-b41f-11e5-9f22-ba0be0483c18"
	for statement, want := range map[string]*Effect{
		"CREATE TABLE Orders (id int PRIMARY KEY)":                                                 {Object: TableObject, Keyspace: "shop", Name: "orders", Some: true},
		`create /* x */ table IF NOT EXISTS "Or""ders"(id int)`:                                    {Object: TableObject, Keyspace: "shop", Name: `Or"ders`, Some: true},
		"CREATE TABLE other.t (id int) WITH comment = 'x' AND ID = " + id:                          {Object: TableObject, Keyspace: "other", Name: "t", Some: true, Has: []string{id}},
		"CREATE TABLE t (id int) WITH ID='" + id + "'":                                             {Object: TableObject, Keyspace: "shop", Name: "t", Some: true, Has: []string{id}},
		"CREATE TABLE IF NOT EXISTS t (id int) WITH ID = " + id:                                    {Object: TableObject, Keyspace: "shop", Name: "t", Some: true},
		"CREATE TYPE address (street text)":                                                        {Object: TypeObject, Keyspace: "shop", Name: "address", Some: true},
		"CREATE MATERIALIZED VIEW v AS SELECT a FROM t WHERE a IS NOT NULL PRIMARY KEY (a)":        {Object: ViewObject, Keyspace: "shop", Name: "v", Some: true},
		"ALTER TABLE t ADD a int":                                                                  {Object: ColumnObject, Keyspace: "shop", Name: "t", Has: []string{"a"}},
		"ALTER TABLE t ADD IF NOT EXISTS (a map<text, frozen<tuple<int, int>>>, \"B\" int static)": {Object: ColumnObject, Keyspace: "shop", Name: "t", Has: []string{"a", "B"}},
		"ALTER TABLE t DROP a":                                                                     {Object: ColumnObject, Keyspace: "shop", Name: "t", Lacks: []string{"a"}},
		"ALTER TABLE t DROP IF EXISTS (a, b) USING TIMESTAMP 5":                                    {Object: ColumnObject, Keyspace: "shop", Name: "t", Lacks: []string{"a", "b"}},
		"ALTER TABLE t RENAME a TO b AND c TO d":                                                   {Object: ColumnObject, Keyspace: "shop", Name: "t", Lacks: []string{"a", "c"}, Has: []string{"b", "d"}},
		"ALTER TYPE address ADD zip text":                                                          {Object: TypeObject, Keyspace: "shop", Name: "address", Has: []string{"zip"}},
		"ALTER TYPE address RENAME zip TO code":                                                    {Object: TypeObject, Keyspace: "shop", Name: "address", Lacks: []string{"zip"}, Has: []string{"code"}},
		"ALTER TABLE IF EXISTS t ADD a int":                                                        {Object: ColumnObject, Keyspace: "shop", Name: "t", Has: []string{"a"}, IfThere: true},
		"ALTER TABLE IF EXISTS t DROP IF EXISTS a":                                                 {Object: ColumnObject, Keyspace: "shop", Name: "t", Lacks: []string{"a"}, IfThere: true},
		"ALTER TABLE IF EXISTS t RENAME IF EXISTS a TO b":                                          {Object: ColumnObject, Keyspace: "shop", Name: "t", Lacks: []string{"a"}, Has: []string{"b"}, unless: true, IfThere: true},
		"ALTER TYPE IF EXISTS address ADD zip text":                                                {Object: TypeObject, Keyspace: "shop", Name: "address", Has: []string{"zip"}, IfThere: true},
		"DROP TABLE IF EXISTS other.t":                                                             {Object: TableObject, Keyspace: "other", Name: "t", None: true},
		"DROP TYPE address":                                                                        {Object: TypeObject, Keyspace: "shop", Name: "address", None: true},
		"DROP INDEX i":                                                                             {Object: IndexObject, Keyspace: "shop", Lacks: []string{"i"}},
		"DROP MATERIALIZED VIEW v":                                                                 {Object: ViewObject, Keyspace: "shop", Name: "v", None: true},
		"CREATE INDEX ON t (Color)":                                                                {Object: IndexObject, Keyspace: "shop", Index: &Index{Keyspace: "shop", Table: "t", Column: "color"}},
		"CREATE CUSTOM INDEX IF NOT EXISTS i ON other.t (values(m)) USING 'sai'": {Object: IndexObject, Keyspace: "other", unless: true,
			Index: &Index{Keyspace: "other", Name: "i", Table: "t", Column: "m", Function: "values", Class: "sai"}},
		"CREATE CUSTOM INDEX i ON t (a, \"B\") USING 'com.example.Both' WITH OPTIONS = {}": {Object: IndexObject, Keyspace: "shop",
			Index: &Index{Keyspace: "shop", Name: "i", Table: "t", Column: "a", more: true, Class: "Both"}},
		"CREATE CUSTOM INDEX ON t (a, b) USING 'com.example.Both'": nil,

		"INSERT INTO t (id) VALUES (1)":         nil,
		"ALTER TABLE t WITH comment = 'x'":      nil,
		"CREATE ROLE ana":                       nil,
		"CREATE OR REPLACE FUNCTION f (a int)":  nil,
		"DROP FUNCTION f":                       nil,
		"ALTER TABLE t":                         nil,
		"ALTER TABLE t RENAME a b":              nil,
		"ALTER TABLE IF EXISTS t WITH a = 1":    nil,
		"ALTER TYPE t RENAME x TO z AND y TO x": {Object: TypeObject, Keyspace: "shop", Name: "t", Has: []string{"z", "x"}, Lacks: []string{"y"}},
		"ALTER TYPE t RENAME x TO y AND y TO z": {Object: TypeObject, Keyspace: "shop", Name: "t", Has: []string{"z"}, Lacks: []string{"x", "y"}},
		"ALTER TYPE t RENAME IF EXISTS x TO y":  {Object: TypeObject, Keyspace: "shop", Name: "t", Has: []string{"y"}, Lacks: []string{"x"}, unless: true},
		"CREATE TABLE":                          nil,
		"ALTER MATERIALIZED VIEW v WITH a = 1":  nil,
	} {
		assert.Equal(t, want, Parse(statement, "shop"), statement)
	}
}

func TestEffectHolds(t *testing.T) {
	assert.False(t, Effect{Some: true}.Holds(nil))
	assert.True(t, Effect{Some: true}.Holds([]string{"a"}))
	assert.True(t, Effect{None: true}.Holds(nil))
	assert.False(t, Effect{None: true}.Holds([]string{"a"}))
	assert.True(t, Effect{Has: []string{"a", "b"}}.Holds([]string{"b", "c", "a"}))
	assert.False(t, Effect{Has: []string{"a", "b"}}.Holds([]string{"b"}))
	assert.True(t, Effect{Has: []string{"a"}, IfThere: true}.Holds(nil), "no such table")
	assert.False(t, Effect{Has: []string{"a"}, IfThere: true}.Holds([]string{"b"}))
	assert.False(t, Effect{Has: []string{"a"}, Lacks: []string{"b"}}.Holds([]string{"a", "b"}), "half a rename")
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
		got, values, ok := Index{Keyspace: "shop", Table: "t", Column: "C", Function: c.function}.Probe(c.cqlType, "id")
		require.True(t, ok, c.cqlType)
		assert.Equal(t, c.want, got)
		assert.Len(t, values, strings.Count(got, "?"))
	}
	for _, cqlType := range []string{"vector<int, 2>", "list<vector<float, 2>>", ""} {
		_, _, ok := Index{Column: "c"}.Probe(cqlType, "id")
		assert.False(t, ok, cqlType)
	}
}
