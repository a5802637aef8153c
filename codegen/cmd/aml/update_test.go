package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Windows line ends, a byte order mark, and a last line without an end stay as they are.
func TestUpdateKeepsBytes(t *testing.T) {
	shop, err := filepath.Abs("../../../examples/quickstart/shop")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "README.md")
	before, after := "\ufeff# Shop\r\n\r\n<!-- aml diagram -->\r\n", "<!-- /aml diagram -->\r\nlast\x00\xff line"
	require.NoError(t, os.WriteFile(file, []byte(before+"old\n"+after), 0o644))
	var stderr strings.Builder
	require.Zero(t, run(t.Context(), []string{"diagram", "-update", file, shop}, &stderr, &stderr), stderr.String())
	now, err := os.ReadFile(file)
	require.NoError(t, err)
	block, ok := strings.CutPrefix(string(now), before)
	require.True(t, ok)
	block, ok = strings.CutSuffix(block, after)
	require.True(t, ok)
	require.Contains(t, block, "```mermaid\r\nclassDiagram\r\n")
	require.Equal(t, strings.Count(block, "\n"), strings.Count(block, "\r\n"))
}
