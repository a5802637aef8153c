package examples

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program in docs/testing.md is the file server_test.go.
func TestPageOfTestsHasThisProgram(t *testing.T) {
	requireOnPage(t, "testing.md", "server_test.go", "package examples\n", "package service\n")
}

// The program in docs/reading.md is the file reading_test.go.
func TestPageOfReadsHasThisProgram(t *testing.T) {
	requireOnPage(t, "reading.md", "reading_test.go", "package examples\n", "package main\n", "func Example_reading()", "func main()")
}

// requireOnPage wants the text of a file on a page of docs, with replacements.
func requireOnPage(t *testing.T, page, file string, replacements ...string) {
	t.Helper()
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	text, err := os.ReadFile("../docs/" + page)
	require.NoError(t, err)
	require.Contains(t, string(text), strings.NewReplacer(replacements...).Replace(string(source)))
}
