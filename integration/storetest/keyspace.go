package storetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/migrate/folder"
)

// JobKeyspace returns a session in a keyspace with the tables of package workshop, without rows. The test must not change
// the tables.
func JobKeyspace(t *testing.T) gocqlx.Session {
	t.Helper()
	return SharedTables(t, workshop.Schema)
}

// OwnJobKeyspace returns a session in a separate keyspace for the test, with the tables of package workshop.
func OwnJobKeyspace(t *testing.T) gocqlx.Session {
	t.Helper()
	return OwnTables(t, workshop.Schema)
}

// SharedTables returns a session in a keyspace with the tables of a schema, without rows. The test must not change the
// tables.
func SharedTables(t *testing.T, schema string) gocqlx.Session {
	t.Helper()
	Requires(t, schema)
	return cassandra.Tables(t, Statements(t, schema)...)
}

// OwnTables returns a session in a separate keyspace for the test, with the tables of a schema.
func OwnTables(t *testing.T, schema string) gocqlx.Session {
	t.Helper()
	Requires(t, schema)
	session := cassandra.Keyspace(t)
	Execute(t, session, schema)
	return session
}

// SchemaFile returns the schema.cql of a model.
func SchemaFile(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "schema.cql"))
	require.NoError(t, err)
	return string(text)
}

// Statements returns the statements of a text.
func Statements(t *testing.T, text string) (out []string) {
	t.Helper()
	split, err := folder.Split(text)
	require.NoError(t, err)
	for _, s := range split {
		out = append(out, s.Text)
	}
	return out
}

// Test is a test that leaves a keyspace in a state that the next test can use.
type Test = struct {
	Name string
	Run  func(*testing.T, gocqlx.Session)
}

// InOneKeyspace runs tests in sequence in one keyspace, because creating its tables takes longer than most tests.
func InOneKeyspace(t *testing.T, tests []Test) {
	t.Helper()
	InKeyspace(t, JobKeyspace(t), tests)
}

// InKeyspace runs tests in sequence in a keyspace.
func InKeyspace(t *testing.T, session gocqlx.Session, tests []Test) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.Name, func(t *testing.T) { test.Run(t, session) })
	}
}

// Execute executes the statements of a text.
func Execute(t *testing.T, session gocqlx.Session, text string) {
	t.Helper()
	for _, s := range Statements(t, text) {
		require.NoError(t, session.ExecStmt(s), s)
	}
}
