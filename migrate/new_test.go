package migrate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNewFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "migrations")
	for _, want := range []string{"0001_init.cql", "0002_init.cql"} {
		name, err := NewFile(dir, "init")
		require.NoError(t, err)
		require.Equal(t, want, name)
	}
	_, err := ReadFolder(os.DirFS(dir)) // which aml.sum vouches for
	require.ErrorContains(t, err, "0002_init.cql:1:1: the migration has no statement and no directive: write one")
	require.EqualError(t, WriteSum(dir), err.Error(), "nobody has written it yet")

	before := contents(t, dir)
	_, err = NewFile(dir, "Init")
	require.ErrorAs(t, err, new(*NameError))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "0001_init.cql"), []byte("CREATE TYPE u (a int);\n"), 0o644))
	_, err = NewFile(dir, "more")
	require.ErrorAs(t, err, new(*SumError))
	require.NoFileExists(t, filepath.Join(dir, "0003_more.cql"))
	require.NoError(t, os.Remove(filepath.Join(dir, "0002_init.cql")))
	require.NoError(t, WriteSum(dir))
	require.NotEqual(t, before, contents(t, dir))
}
