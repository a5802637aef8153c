package effect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/schemachange"
	"github.com/cassaml/cassaml/migrate/folder"
)

// FuzzDDL checks that any text can be parsed without a panic, and that a CREATE TABLE with an added id is still one statement that creates
// the same table.
func FuzzDDL(f *testing.F) {
	for _, seed := range []string{
		"CREATE TABLE t (id int PRIMARY KEY)", "create table if not exists \"a\"\"b\".c (a map<int,frozen<list<text>>>) with x = {'a': ')'} and id = 1",
		"ALTER TABLE t ADD (a int, b text)", "ALTER TYPE t RENAME a TO b AND", "CREATE CUSTOM INDEX ON a.b (entries(c)) USING 'x'", "DROP TABLE", "CREATE TABLE t (",
		"CREATE TABLE t () WITH ID =", "-- aml:func x\nCREATE TABLE (((", "ALTER TABLE t DROP (a", "CREATE INDEX ON t (\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		statements, err := folder.Split(text)
		if err != nil {
			return
		}
		for _, s := range statements {
			Parse(s.Text, "shop")
			ks, table, ok := CreatedTable(s.Text, "shop")
			if !ok {
				continue
			}
			id := schemachange.TableID("x")
			sent := InsertID(s.Text, id)
			again, err := folder.Split(sent)
			require.NoError(t, err)
			require.Len(t, again, 1, sent)
			nowKS, nowTable, _ := CreatedTable(sent, "shop")
			require.Equal(t, []string{ks, table}, []string{nowKS, nowTable})
			if sent != s.Text {
				require.Equal(t, sent, InsertID(sent, id), "it has one now")
			}
		}
	})
}
