package language

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
)

// The CQL of the examples in the documentation of the language can be created, by the replay of a folder of migrations, and
// with -all by a node.
func TestLanguageExamplesRun(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/language.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```sql\n(.*?)^```$").FindAllSubmatch(text, -1)
	require.NotEmpty(t, blocks)
	for i, block := range blocks {
		t.Run(fmt.Sprint("example", i+1), func(t *testing.T) {
			statements, err := folder.Split(string(block[1]))
			require.NoError(t, err)
			require.NotEmpty(t, statements)
			_, err = catalog.Replay([]folder.File{{Name: "0001_example.cql", Statements: statements}})
			require.NoError(t, err)
			if !*all {
				return
			}
			session := cassandra.Keyspace(t)
			for _, s := range statements {
				require.NoError(t, session.ExecStmt(s.Text), s.Text)
			}
		})
	}
}
