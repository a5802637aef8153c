package migrations_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate"
)

// A real node takes what the documentation of the language says that its examples become.
func TestLanguageExamplesRun(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/language.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```sql\n(.*?)^```$").FindAllSubmatch(text, -1)
	require.NotEmpty(t, blocks)
	for i, block := range blocks {
		t.Run(fmt.Sprint("example", i+1), func(t *testing.T) {
			session := cassandra.Keyspace(t)
			statements, err := migrate.Split(string(block[1]))
			require.NoError(t, err)
			require.NotEmpty(t, statements)
			for _, s := range statements {
				require.NoError(t, session.ExecStmt(s.Text), s.Text)
			}
		})
	}
}
