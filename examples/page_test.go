package examples

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program in docs/testing.md is the file server_test.go.
func TestPageOfTestsHasThisProgram(t *testing.T) {
	source, err := os.ReadFile("server_test.go")
	require.NoError(t, err)
	page, err := os.ReadFile("../docs/testing.md")
	require.NoError(t, err)
	require.Contains(t, string(page), strings.Replace(string(source), "package examples\n", "package service\n", 1))
}
