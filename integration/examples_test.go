package integration

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate"
)

// Every schema of the examples is one that a real node takes. CI generates them anew and fails on a difference.
func TestExampleSchemas(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../examples", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Base(name) != "schema.cql" {
			return err
		}
		found++
		t.Run(strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "../examples/"), func(t *testing.T) { applySchema(t, name) })
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, found, 20)
}

func applySchema(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	statements, err := migrate.Split(string(text))
	require.NoError(t, err)
	require.NotEmpty(t, statements)
	session := cassandra.Keyspace(t)
	for _, s := range statements {
		require.NoError(t, session.ExecStmt(s.Text), s.Text)
	}
}
