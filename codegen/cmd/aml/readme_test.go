package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
)

// The first model of README.md, which new users copy, has no warnings.
func TestReadmeModelIsWithoutWarnings(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "..", "README.md"))
	require.NoError(t, err)
	_, behind, _ := strings.Cut(string(readme), "```go\n")
	text, _, found := strings.Cut(behind, "```")
	require.True(t, found)
	dir, err := os.MkdirTemp("testdata", "readme") // in this module, but not a package of it
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	head := "package shop\n\nimport (\n\t\"github.com/gocql/gocql\"\n\n\t\"github.com/cassaml/cassaml/aml\"\n)\n\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "model.go"), []byte(head+text), 0o644))

	p, err := load.Load(t.Context(), dir)
	require.NoError(t, err)
	m, said := model.Build(p)
	require.Empty(t, said)
	require.Len(t, m.Aggregates, 2)
}
