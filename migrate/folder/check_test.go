package folder

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Statements that no migration can have are refused with their line by everything that reads a folder.
func TestStatementsAreRefused(t *testing.T) {
	const reserved = " is reserved: migrations are recorded in tables whose names begin with aml_, and a migration must not name them"
	marker := func(m string) string {
		return "bind marker " + m + " has no value: a migration binds no values; write the value instead"
	}
	for text, want := range map[string]string{
		"CREATE a;\nUSE shop": "2:1: USE is not supported in migrations, which run in the keyspace of the session: remove it",
		"SELECT * FROM t":     "1:1: SELECT changes nothing, and its rows are not returned: remove it, or read in a function that -- aml:func calls",
		"describe tables":     "1:1: DESCRIBE changes nothing",
		"DESC TABLES":         "1:1: DESC changes nothing",
		"LIST ROLES":          "1:1: LIST changes nothing",
		"BEGIN TRANSACTION\nUPDATE t SET a = 1; COMMIT TRANSACTION": "1:1: BEGIN TRANSACTION is not supported in migrations: write BEGIN BATCH … APPLY BATCH",
		"BEGIN TRANSACTION\nUPDATE t SET a = 1; APPLY BATCH":        "1:1: BEGIN TRANSACTION has no COMMIT TRANSACTION",

		"INSERT INTO t (a)\n VALUES (?)":                              "2:10: " + marker("?"),
		"INSERT INTO t (a) VALUES (:a)":                               "1:27: " + marker(":a"),
		"UPDATE t SET m['a'] = :\"V\" WHERE id = 1":                   "1:23: " + marker(`:"V"`),
		"UPDATE t SET m = {'a': :b, :c: 1} WHERE id = 1":              "1:24: " + marker(":b"),
		"UPDATE t SET m = {'a': 1, :c: 1} WHERE id = 1":               "1:27: " + marker(":c"),
		"DELETE FROM t WHERE id IN :ids":                              "1:27: " + marker(":ids"),
		"UPDATE t USING TTL :ttl SET a = 1 WHERE id = 1":              "1:20: " + marker(":ttl"),
		"BEGIN BATCH UPDATE t SET a = a + ? WHERE b = 1; APPLY BATCH": "1:34: " + marker("?"),

		"TRUNCATE aml_migrations":                                                                 "1:1: table aml_migrations" + reserved,
		"truncate /* all */ table shop.AML_Migrations":                                            "1:20: table aml_migrations" + reserved,
		"DROP TABLE IF EXISTS \"shop\" . \"aml_migrations\"":                                      "1:6: table aml_migrations" + reserved,
		"CREATE COLUMNFAMILY IF NOT EXISTS aml_mine (a int PRIMARY KEY)":                          "1:8: table aml_mine" + reserved,
		"ALTER TABLE aml_migrations ADD a int":                                                    "1:7: table aml_migrations" + reserved,
		"INSERT INTO aml_migrations (folder) VALUES ('a')":                                        "1:8: table aml_migrations" + reserved,
		"UPDATE aml_migrations SET epoch = 1 WHERE folder = 'migrations'":                         "1:1: table aml_migrations" + reserved,
		"DELETE owner FROM aml_migrations WHERE folder = 'migrations'":                            "1:14: table aml_migrations" + reserved,
		"BEGIN BATCH DELETE FROM t WHERE a = 1;\nUPDATE aml_x SET a = 1 WHERE b = 1; APPLY BATCH": "2:1: table aml_x" + reserved,
		"CREATE INDEX ON aml_migrations (name)":                                                   "1:14: table aml_migrations" + reserved,
		"CREATE MATERIALIZED VIEW v AS SELECT * FROM aml_migrations":                              "1:40: table aml_migrations" + reserved,
		"GRANT MODIFY ON TABLE aml_migrations TO ana":                                             "1:17: table aml_migrations" + reserved,
	} {
		fsys := folder("0001_a.cql", text)
		_, err := Read(fsys)
		require.ErrorContains(t, err, "0001_a.cql:"+want, text)
		_, err = Sum(fsys)
		require.ErrorContains(t, err, "0001_a.cql:"+want, text)
		_, err = Read(fsys)
		require.ErrorContains(t, err, "0001_a.cql:"+want, text)
		_, err = Split(text)
		if err == nil {
			continue
		}
		assert.Contains(t, want, err.Error())
	}
	_, err := Read(folder("0001_a.cql", "USE a; CREATE b;\nSELECT c", "0002_b.cql", "LIST d"))
	assert.Len(t, unjoinAll(err), 3, "%v", err)
}

// Signs and names that only look like those are accepted.
func TestStatementsAreNotRefused(t *testing.T) {
	for _, text := range []string{
		"INSERT INTO t (a, b) VALUES ('?', ':x') -- ? :y",
		"UPDATE t SET m = {'a': 'b', 1: 2, x: null, ttl: 5, key: true}, u = {home: {street: 'a', at: now()}}, l = [1] WHERE id = 1",
		"UPDATE t SET d = P0001-02-03T04:05:06, m = {'k' : uuid(), -1 : NaN, (1, 2): f, [1]: x} WHERE id = 1",
		"CREATE FUNCTION f (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS $$ return a > 0 ? 1 : b; $$",
		"CREATE TABLE t (id int PRIMARY KEY, aml_ver bigint, on_aml text) WITH comment = 'FROM aml_migrations'",
		"DELETE aml_ver FROM t WHERE id = 1", "CREATE TABLE amlx (id int PRIMARY KEY)", `CREATE TABLE "AML_x" (id int PRIMARY KEY)`,
		"BEGIN UNLOGGED BATCH UPDATE t SET transaction = 1 WHERE id = 1; APPLY BATCH",
	} {
		_, err := Read(folder("0001_a.cql", text))
		require.NoError(t, err, text)
	}
}

// unjoinAll returns all errors in a tree of joined errors.
func unjoinAll(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, unjoinAll(e)...)
	}
	return all
}

// Dots in fields, numbers and texts do not name a keyspace.
func TestCheckContained(t *testing.T) {
	for _, text := range []string{
		"CREATE TABLE t (a int PRIMARY KEY) WITH crc_check_chance = 0.5 AND comment = 'x.t'",
		"CREATE CUSTOM INDEX i ON t (a) USING 'org.apache.StorageAttachedIndex'",
		"CREATE OR REPLACE FUNCTION f (a int) RETURNS NULL ON NULL INPUT RETURNS int LANGUAGE java AS $$ return x.t; $$",
		"ALTER TABLE t DROP a", "TRUNCATE t", "UPDATE t SET home.street = 'a' WHERE id = 1 IF home.door = 1.5",
		"DELETE home.street FROM t WHERE id = 1", "INSERT INTO t (a) VALUES (1.5)",
		"BEGIN BATCH UPDATE t SET a.b = 1 WHERE id = 1; DELETE a.b FROM t WHERE id = 1; APPLY BATCH", "-- aml:func x.t\n",
	} {
		files, err := Read(folder("0001_a.cql", text))
		require.NoError(t, err, text)
		require.NoError(t, CheckContained(files), text)
	}
	for text, want := range map[string]string{
		"CREATE TABLE x.t (a int PRIMARY KEY)":                                                 "x.t names a keyspace",
		"CREATE TABLE IF NOT EXISTS \"X\" . \"t\" (a int)":                                     `"X"."t" names a keyspace`,
		"CREATE TABLE t (a int PRIMARY KEY, b frozen<x.u>)":                                    "x.u names a keyspace",
		"CREATE INDEX ON x.t (a)":                                                              "x.t names a keyspace",
		"CREATE MATERIALIZED VIEW v AS SELECT a FROM x.t":                                      "x.t names a keyspace",
		"DROP /* ; */ TYPE IF EXISTS x.u":                                                      "x.u names a keyspace",
		"TRUNCATE TABLE x.t":                                                                   "x.t names a keyspace",
		"INSERT INTO x.t (a) VALUES (1)":                                                       "x.t names a keyspace",
		"UPDATE x.t SET a.b = 1 WHERE id = 1":                                                  "x.t names a keyspace",
		"DELETE a FROM x.t WHERE id = 1":                                                       "x.t names a keyspace",
		"BEGIN BATCH DELETE FROM t WHERE a = 1; UPDATE x.t SET b = 1 WHERE a = 1; APPLY BATCH": "x.t names a keyspace",
		"DROP KEYSPACE x":                                                                      "DROP KEYSPACE changes more than the keyspace",
		"create keyspace x":                                                                    "CREATE KEYSPACE changes more than the keyspace",
		"ALTER ROLE ana":                                                                       "ALTER ROLE changes more than the keyspace",
		"GRANT SELECT ON t TO ana":                                                             "GRANT may change more than the keyspace",
		"REVOKE SELECT ON t FROM ana":                                                          "REVOKE may change more than the keyspace",
	} {
		files, err := Read(folder("0001_a.cql", "CREATE TYPE u (a int);\n\n  "+text))
		require.NoError(t, err, text)
		err = CheckContained(files)
		require.Error(t, err, text)
		require.True(t, strings.HasPrefix(err.Error(), "0001_a.cql:3:3: "+want), "%s: %v", text, err)
	}
}

// A statement that no server accepts is refused before it is sent: because of its size, a run could not renew its lock in time.
func TestStatementsHaveALimit(t *testing.T) {
	const head, tail = "INSERT INTO a (id, note) VALUES (1, '", "')"
	note := strings.Repeat("x", maxStatement-len(head)-len(tail))
	read := func(text string) error {
		_, err := Read(fstest.MapFS{"0001_a.cql": &fstest.MapFile{Data: []byte("CREATE TABLE a (id int PRIMARY KEY, note text);\n" + text)}})
		return err
	}
	require.NoError(t, read(head+note+tail+";\n"+head+note+tail))
	err := read(head + note + "x" + tail + ";")
	require.EqualError(t, err, "0001_a.cql:2:1: the statement has 16777217 bytes, and no server accepts more than 16777216 by default: write several statements")
	require.ErrorAs(t, err, new(*SyntaxError))
}
