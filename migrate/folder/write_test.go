package folder

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWriteFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "migrations")
	require.NoError(t, Write(dir, "0001_init.cql", []string{
		"-- customers;\r\nCREATE TABLE customers (id uuid PRIMARY KEY)", "CREATE INDEX ON customers (name) ; "}))
	require.NoError(t, Write(dir, "0002_fill.cql", []string{"-- aml:backfill customers"}))
	require.NoError(t, Write(dir, "0007_gap.cql", []string{"BEGIN BATCH a; b; APPLY BATCH"}))
	snapshot := contents(t, dir)
	sum, err := Sum(os.DirFS(dir))
	require.NoError(t, err)
	assert.Equal(t, map[string]string{
		"0001_init.cql": "-- customers;\nCREATE TABLE customers (id uuid PRIMARY KEY);\n\nCREATE INDEX ON customers (name);\n",
		"0002_fill.cql": "-- aml:backfill customers\n",
		"0007_gap.cql":  "BEGIN BATCH a; b; APPLY BATCH;\n",
		"aml.sum":       sum,
	}, snapshot)
	files, err := Read(os.DirFS(dir))
	require.NoError(t, err)
	assert.Len(t, files[0].Statements, 2)
}

func TestWriteFileRefuses(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir, "0002_b.cql", []string{"b"}))
	before := contents(t, dir)
	for _, c := range []struct {
		name       string
		statements []string
		want       string
	}{
		{"0001_a.cql", []string{"a"}, "migrate: 0001_a.cql: its number is not greater than 0002"},
		{"0002_b.cql", []string{"a"}, "migrate: 0002_b.cql: its number is not greater than 0002"},
		{"../0003_a.cql", nil, "migrate: ../0003_a.cql: is not named NNNN_lower_snake_name.cql"},
		{"0003_a.cql", []string{"a", "b 'c"}, "migrate: 0003_a.cql: statement 2: 1:3: string is not closed"},
		{"0003_a.cql", []string{"a; b"}, `migrate: 0003_a.cql: statement 1: want one statement, found 2 in "a; b"`},
		{"0003_a.cql", []string{"-- a"}, `migrate: 0003_a.cql: statement 1: want one statement, found 0 in "-- a"`},
		{"0003_a.cql", []string{"a; -- b"}, `migrate: 0003_a.cql: statement 1: want nothing after the statement, found "-- b"`},
	} {
		assert.EqualError(t, Write(dir, c.name, c.statements), c.want)
	}
	assert.Equal(t, before, contents(t, dir))
}

func TestWriteFileRefusesFolderThatDoesNotMatchItsSum(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir, "0001_a.cql", []string{"a"}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "0001_a.cql"), []byte("b;\n"), 0o644))
	before := contents(t, dir)
	assert.EqualError(t, Write(dir, "0002_b.cql", []string{"b"}),
		"migrate: 0001_a.cql: was changed: it does not match aml.sum"+fix)
	assert.Equal(t, before, contents(t, dir))
}

func TestWriteFileRemovesFilesIfTheSumCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, SumFile), 0o755))
	stub := filepath.Join(t.TempDir(), "stub.go")
	require.ErrorIs(t, writeAll([]Companion{
		{stub, "package x"}, {filepath.Join(dir, "0001_a.cql"), "a;"}, {filepath.Join(dir, SumFile), "sum"},
	}), fs.ErrExist)
	require.NoFileExists(t, stub)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	assert.Equal(t, SumFile, entries[0].Name())
}

// contents returns the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	texts := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		texts[e.Name()] = string(b)
	}
	return texts
}

func TestWriteFileAcceptsDirectives(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir, "0001_a.cql", []string{"a", "-- why\n-- aml:func copy", "-- aml:backfill t"}))
	require.Equal(t, "a;\n\n-- why\n-- aml:func copy\n\n-- aml:backfill t\n", contents(t, dir)["0001_a.cql"])
	require.EqualError(t, Write(dir, "0002_b.cql", []string{"-- aml:fnuc copy"}),
		`migrate: 0002_b.cql: statement 1: want one statement, found 0 in "-- aml:fnuc copy"`)
}

// All but one of several concurrent writers are refused, and leave no files.
func TestWriteFileRefusesConcurrentWriters(t *testing.T) {
	dir := t.TempDir()
	written := make(chan error)
	for _, name := range []string{"0001_a.cql", "0001_b.cql", "0001_c.cql", "0001_d.cql"} {
		go func() { written <- Write(dir, name, []string{"a"}) }()
	}
	succeeded := 0
	for range 4 {
		if err := <-written; err == nil {
			succeeded++
		}
	}
	require.Equal(t, 1, succeeded)
	require.Len(t, contents(t, dir), 2)
	_, err := Read(os.DirFS(dir))
	require.NoError(t, err)
}

func TestRunningWriterIsReported(t *testing.T) {
	dir := t.TempDir()
	want := "migrate: " + filepath.Join(dir, "aml.sum.lock") + ": another command is writing to the folder; run this command again when the other has ended" + lockOutlives
	require.NoError(t, locked(dir, func() error {
		require.EqualError(t, Write(dir, "0001_a.cql", []string{"a"}), want)
		require.EqualError(t, WriteSum(dir), want)
		return nil
	}))
	require.NoError(t, Write(dir, "0001_a.cql", []string{"a"}))
	require.NoError(t, WriteSum(dir))
	require.NoFileExists(t, filepath.Join(dir, "aml.sum.lock"))
}

func TestNewFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "migrations")
	for _, want := range []string{"0001_init.cql", "0002_init.cql"} {
		name, err := New(dir, "init")
		require.NoError(t, err)
		require.Equal(t, want, name)
	}
	_, err := Read(os.DirFS(dir)) // which aml.sum records
	require.ErrorContains(t, err, "0002_init.cql:1:1: the migration has no statement and no directive: write one")
	require.EqualError(t, WriteSum(dir), err.Error(), "it has no statements yet")

	before := contents(t, dir)
	_, err = New(dir, "Init")
	require.ErrorAs(t, err, new(*NameError))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "0001_init.cql"), []byte("CREATE TYPE u (a int);\n"), 0o644))
	_, err = New(dir, "more")
	require.ErrorAs(t, err, new(*SumError))
	require.NoFileExists(t, filepath.Join(dir, "0003_more.cql"))
	require.NoError(t, os.Remove(filepath.Join(dir, "0002_init.cql")))
	require.NoError(t, WriteSum(dir))
	require.NotEqual(t, before, contents(t, dir))
}
