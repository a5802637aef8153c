package integration_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate"
)

// A real node takes the schemas of the models of published services, and knows every table then.
func TestReach(t *testing.T) {
	files, err := filepath.Glob("../aml/testdata/reach/*/schema.cql")
	require.NoError(t, err)
	require.Len(t, files, 5)
	created := regexp.MustCompile(`(?m)^CREATE TABLE IF NOT EXISTS (\S+) \(`)
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			cql, err := os.ReadFile(file)
			require.NoError(t, err)
			session := cassandra.Keyspace(t)
			require.NoError(t, migrate.Up(t.Context(), session, migrations("0001_init.cql", string(cql)), migrate.Config{}))
			tables := created.FindAllStringSubmatch(string(cql), -1)
			require.NotEmpty(t, tables)
			for _, table := range tables {
				require.NoError(t, session.ExecStmt("SELECT * FROM "+table[1]+" LIMIT 1"))
			}
		})
	}
}

// It takes, too, what the documentation of the language says that its examples become.
func TestLanguageExamplesRun(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/language.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```sql\n(.*?)^```$").FindAllSubmatch(text, -1)
	require.NotEmpty(t, blocks)
	for i, block := range blocks {
		t.Run(fmt.Sprint("example", i+1), func(t *testing.T) {
			session := cassandra.Keyspace(t)
			require.NoError(t, migrate.Up(t.Context(), session, migrations("0001_init.cql", string(block[1])), migrate.Config{}))
		})
	}
}
