package cassandra

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKeyspaceName(t *testing.T) {
	for test, prefix := range map[string]string{
		"TestPut":                           "testput_",
		"TestPut/a b#01":                    "testput_a_b_01_",
		"TestÄrger":                         "test_rger_",
		"9lives":                            "k_9lives_",
		"":                                  "k__",
		"Test" + strings.Repeat("Long", 20): "testlonglonglonglonglonglonglonglon",
	} {
		name := keyspaceName(test)
		require.Regexp(t, `^[a-z][a-z0-9_]{1,47}$`, name)
		require.True(t, strings.HasPrefix(name, prefix), name)
		require.NotEqual(t, name, keyspaceName(test), "unique")
	}
}

func TestKeyspaceIsFreshAndDropped(t *testing.T) {
	names := map[string]bool{}
	const runs = fewKeyspaces + 1
	for run := range runs {
		t.Run(fmt.Sprint(run), func(t *testing.T) {
			session := Keyspace(t)
			require.NoError(t, session.ExecStmt("CREATE TABLE customers (id int PRIMARY KEY, name text)"))
			require.NoError(t, session.ExecStmt("INSERT INTO customers (id, name) VALUES (1, 'Ana')"))
			names[session.Session.Query("").Keyspace()] = true
		})
	}
	server := Test(t)
	session, err := server.Cluster().CreateSession()
	require.NoError(t, err)
	defer session.Close()
	require.Len(t, names, runs)
	left := 0
	for name := range names {
		var count int
		require.NoError(t, session.Query("SELECT count(*) FROM system_schema.keyspaces WHERE keyspace_name = ?", name).Scan(&count))
		left += count
	}
	require.LessOrEqual(t, left, fewKeyspaces)
	require.Less(t, left, runs)
}

func TestServerKeyspaceKeepsCaseAndChecksNames(t *testing.T) {
	server := Test(t)
	name := "K_" + keyspaceName("Case")
	session, err := server.Keyspace(t.Context(), name)
	require.NoError(t, err)
	defer session.Close()
	require.NoError(t, session.ExecStmt("CREATE TABLE t (id int PRIMARY KEY)"))
	require.NoError(t, session.ExecStmt(`DROP KEYSPACE "`+name+`"`))

	_, err = server.Keyspace(t.Context(), `a"b`)
	require.EqualError(t, err, `cassandra: create keyspace a"b: "a\"b" is not 1 to 48 letters, digits and underscores`)
}

// Tests with the same statements use one keyspace in turn, each without rows. Other tests use another keyspace.
func TestTablesAreEmptied(t *testing.T) {
	const create = "CREATE TABLE customers (id int PRIMARY KEY, name text)"
	ask := func(t *testing.T, statements ...string) string {
		session := Tables(t, statements...)
		var count int
		require.NoError(t, session.Session.Query("SELECT count(*) FROM customers").Scan(&count))
		require.Zero(t, count)
		require.NoError(t, session.ExecStmt("INSERT INTO customers (id, name) VALUES (1, 'Ana')"))
		return session.Session.Query("").Keyspace()
	}
	var used []string
	for run := range 2 {
		t.Run(fmt.Sprint(run), func(t *testing.T) { used = append(used, ask(t, create), ask(t, create)) })
	}
	require.NotEqual(t, used[0], used[1], "two concurrent tests have two keyspaces")
	if !Test(t).durable {
		require.ElementsMatch(t, used[:2], used[2:])
	}
	require.NotContains(t, used, ask(t, create, "CREATE INDEX ON customers (name) USING 'sai'"))
}
