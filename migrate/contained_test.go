package migrate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What stays in the keyspace of the session may name fields, numbers and texts with dots.
func TestCheckContained(t *testing.T) {
	for _, text := range []string{
		"CREATE TABLE t (a int PRIMARY KEY) WITH crc_check_chance = 0.5 AND comment = 'x.t'",
		"CREATE CUSTOM INDEX i ON t (a) USING 'org.apache.StorageAttachedIndex'",
		"CREATE OR REPLACE FUNCTION f (a int) RETURNS NULL ON NULL INPUT RETURNS int LANGUAGE java AS $$ return x.t; $$",
		"ALTER TABLE t DROP a", "TRUNCATE t", "UPDATE t SET home.street = 'a' WHERE id = 1 IF home.door = 1.5",
		"DELETE home.street FROM t WHERE id = 1", "INSERT INTO t (a) VALUES (1.5)",
		"BEGIN BATCH UPDATE t SET a.b = 1 WHERE id = 1; DELETE a.b FROM t WHERE id = 1; APPLY BATCH", "-- aml:func x.t\n",
	} {
		files, err := ReadFolder(folder("0001_a.cql", text))
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
		files, err := ReadFolder(folder("0001_a.cql", "CREATE TYPE u (a int);\n\n  "+text))
		require.NoError(t, err, text)
		err = CheckContained(files)
		require.Error(t, err, text)
		require.True(t, strings.HasPrefix(err.Error(), "0001_a.cql:3:3: "+want), "%s: %v", text, err)
	}
}
