package cassandra

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scylladb/gocqlx/v2"
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

// A test has a separate keyspace. The keyspaces of ended tests are dropped when there are more than fewKeyspaces of them.
func TestKeyspaceIsFreshAndDropped(t *testing.T) {
	server := Test(t)
	of := &testServer{server: server}
	for n := range fewKeyspaces - 1 { // to drop an absent keyspace costs the server little
		of.ended = append(of.ended, keyspaceName(fmt.Sprint("absent", n)))
	}
	session, err := server.Cluster().CreateSession()
	require.NoError(t, err)
	defer session.Close()
	exists := func(name string) bool {
		var count int
		require.NoError(t, session.Query("SELECT count(*) FROM system_schema.keyspaces WHERE keyspace_name = ?", name).Scan(&count))
		return count == 1
	}
	var names []string
	for range 2 {
		own := Keyspace(t)
		require.NoError(t, own.ExecStmt("CREATE TABLE customers (id int PRIMARY KEY, name text)"))
		require.NoError(t, own.ExecStmt("INSERT INTO customers (id, name) VALUES (1, 'Ana')"))
		name := own.Session.Query("").Keyspace()
		require.NotContains(t, names, name)
		names = append(names, name)
		require.True(t, exists(name))
		of.dropLater(t, own, name)
	}
	require.False(t, exists(names[0]), "the first of more than fewKeyspaces")
	require.False(t, exists(names[1]))
	require.Empty(t, of.ended)
}

// When a test ends, its session is closed, and its keyspace is dropped, at once or later.
func TestKeyspaceEndsWithItsTest(t *testing.T) {
	var session gocqlx.Session
	t.Run("a test", func(t *testing.T) { session = Keyspace(t) })
	require.True(t, session.Closed())
	if name := session.Session.Query("").Keyspace(); !Test(t).durable {
		common.mu.Lock()
		defer common.mu.Unlock()
		require.Contains(t, common.ended, name)
	}
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
	Requires(t, "5.0", "a storage-attached index")
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
