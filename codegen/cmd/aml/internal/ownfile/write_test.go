package ownfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/ownfile"
)

// A file that Git has checked out with other ends of lines is not stale.
func TestCompare(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "aml_gen.go")
	compare := func(there string) error {
		require.NoError(t, os.WriteFile(file, []byte(there), 0o600))
		return ownfile.Compare([]codegen.File{{Path: file, Data: []byte("package shop\n\nconst a = 1\n")}}, "aml generate")
	}
	require.NoError(t, compare("package shop\n\nconst a = 1\n"))
	require.NoError(t, compare("package shop\r\n\r\nconst a = 1\r\n"))
	for _, stale := range []string{"package shop\r\n\r\nconst a = 2\r\n", "package shop\n\nconst a = 1\r", "package shop\n\nconst a = 1"} {
		require.EqualError(t, compare(stale), file+" is stale: run aml generate")
	}
	require.NoError(t, os.WriteFile(file, []byte("# Shop\r\n"), 0o600))
	require.NoError(t, ownfile.Compare([]codegen.File{{Path: file, Data: []byte("# Shop\r\n")}}, "aml docs"), "a page keeps its ends of lines")
	require.NoError(t, os.Remove(file))
	require.EqualError(t, ownfile.Compare([]codegen.File{{Path: file}}, "aml generate"), file+" is missing: run aml generate")
}
