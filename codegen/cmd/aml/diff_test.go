package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/folder"
)

// One of several concurrent commands writes the first migration, and the others report why they do not.
func TestDiffsAtOnceWriteOneMigration(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, module(dir, root))
	source := "package shop\n\nimport \"github.com/cassaml/cassaml/aml\"\n\ntype Customer struct {\n\taml.Aggregate `aml:\"customers\"`\n\n\tID int32 `aml:\"id,identifier\"`\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "model.go"), []byte(source), 0o644))
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off") // all there is to need is in the module cache
	codes := make(chan int)
	names := []string{"one", "two", "three", "four"}
	for _, name := range names {
		go func() { codes <- run(t.Context(), []string{"diff", name}, io.Discard, io.Discard) }()
	}
	succeeded := 0
	for range names {
		if <-codes == 0 {
			succeeded++
		}
	}
	files, err := folder.Read(os.DirFS("migrations"))
	require.NoError(t, err, "aml.sum covers what is there")
	require.Len(t, files, 1)
	require.GreaterOrEqual(t, succeeded, 1) // one that came late found no difference
}
