package migrate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate/folder"
)

// TestMigrateSplitAgreesWithServer executes each piece of texts that the server would reject if they were split at another
// position.
func TestMigrateSplitAgreesWithServer(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	require.NoError(t, session.ExecStmt("CREATE TABLE customers (id int PRIMARY KEY, name text)"))
	const insert = "INSERT INTO customers (id, name) VALUES "
	for _, text := range []string{
		insert + "(1, ';'); " + insert + "(2, 'a'';b'); ;; " + insert + "(3, ''';')",
		insert + "(1, $$;$$); " + insert + "(2, $$'$;--$$); " + insert + "(3, '$$;')",
		insert + "-- ;'\n(1, 'a'); // \"\r" + insert + "/* ; /* ' */ (2, 'b') -- end",
		"INSERT INTO customers (\"id\", \"name\") VALUES (1, '\";');\r\n" + insert + "(2, '/*');",
		"BEGIN BATCH " + insert + "(1, 'APPLY BATCH;'); " + insert + "(2, 'b') APPLY /* ; */ BATCH; " + insert + "(3, 'c')",
		"begin/**/unlogged batch using timestamp 5 " + insert + "(1, 'a');" + insert + "(2, 'b'); apply\r\nbatch--\r\n;",
		"\ufeff" + insert + "(1, 'é;漢') /* c */ ; /*/ ; */ " + insert + "(2, '\\');",
	} {
		statements, err := folder.Split(text)
		require.NoError(t, err)
		for _, s := range statements {
			require.NoError(t, session.ExecStmt(s.Text), "%q of %q", s.Text, text)
		}
		assert.NotEmpty(t, customerNames(t, session)[2], text)
		require.NoError(t, session.ExecStmt("TRUNCATE customers"))
	}
}

// TestMigrateSplitOfRandomTexts splits texts of statements whose values contain separators, quotes and comments,
// and executes the pieces: the server has every value unchanged.
func TestMigrateSplitOfRandomTexts(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	require.NoError(t, session.ExecStmt(`CREATE TABLE customers (id int PRIMARY KEY, name text, "a;'b""--" text)`))
	w := &cqlWriter{random: rand.New(rand.NewPCG(1, 2))}
	for range 60 {
		text, want, statements := w.text()
		pieces, err := folder.Split(text)
		require.NoError(t, err, "%q", text)
		require.Len(t, pieces, statements, "%q", text)
		for _, piece := range pieces {
			require.NoError(t, session.ExecStmt(piece.Text), "%q of %q", piece.Text, text)
		}
		require.Equal(t, want, customerNames(t, session), "%q", text)
		require.NoError(t, session.ExecStmt("TRUNCATE customers"))
	}
}

// cqlWriter generates texts.
type cqlWriter struct{ random *rand.Rand }

func (w *cqlWriter) one(of ...string) string { return of[w.random.IntN(len(of))] }

// text returns a text of statements, the resulting rows, and the number of statements.
func (w *cqlWriter) text() (text string, rows map[int]string, statements int) {
	rows = map[int]string{}
	var b strings.Builder
	b.WriteString(w.one("", "\ufeff", ";", "-- ; '\n"))
	for range 1 + w.random.IntN(6) {
		if w.random.IntN(4) > 0 {
			b.WriteString(w.insert(rows))
		} else {
			b.WriteString(w.batch(rows))
		}
		statements++
		b.WriteString(w.gap() + ";" + w.gap())
	}
	return strings.TrimSuffix(b.String(), ";"), rows, statements
}

func (w *cqlWriter) batch(rows map[int]string) string {
	b := w.one("BEGIN", "begin") + w.gap() + w.one("BATCH", "UNLOGGED"+w.gap()+"BATCH", "batch") + w.gap()
	for range 1 + w.random.IntN(3) {
		b += w.insert(rows) + w.gap() + w.one(";", "") + w.gap()
	}
	return b + w.one("APPLY", "apply") + w.gap() + w.one("BATCH", "Batch")
}

// insert writes a new row.
func (w *cqlWriter) insert(rows map[int]string) string {
	id := len(rows) + 1
	literal, value := w.value()
	rows[id] = value
	other, _ := w.value()
	return "INSERT" + w.gap() + `INTO customers (id,` + w.gap() + `"name", "a;'b""--") VALUES (` + fmt.Sprint(id) + "," + w.gap() + literal + "," + other + w.gap() + ")"
}

// value returns a text and its literal.
func (w *cqlWriter) value() (literal, value string) {
	for range w.random.IntN(6) {
		value += w.one(";", "'", `"`, "--", "//", "/*", "*/", "$", "\n", "\r", "BEGIN BATCH", "APPLY BATCH", "é漢", "a b", "\\")
	}
	if !strings.Contains(value, "$") && w.random.IntN(2) == 0 {
		return "$$" + value + "$$", value
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'", value
}

// gap returns white space and comments.
func (w *cqlWriter) gap() string {
	return w.one(" ", "\n", "\t\r\n", " /* ; ' \" */ ", " -- ; $$ '\n", " // /* ;\r", "  ")
}
