package command_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/pagetest"
)

var (
	function    = regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?(\w+)`)
	requirement = regexp.MustCompile(`\bRequires\(t, "5\.0", "([^"]+)"\)`)
	modelNeeds  = regexp.MustCompile(`(?m)^\t\{"(\w+)", "([^"]+)"\},$`)
)

// docs/internals/cassandra.md lists what is not tested before Cassandra 5.0: the functions that call cassandra.Requires, and the models of
// storetest.Requires.
func TestPageListsWhatNeedsCassandra5(t *testing.T) {
	rows := map[string][]string{} // functions by package and reason
	calls := 0
	for _, path := range files(t, "_test.go") {
		text := read(t, path)
		for _, m := range requirement.FindAllStringSubmatchIndex(text, -1) {
			names := function.FindAllStringSubmatch(text[:m[0]], -1)
			dir, err := filepath.Rel(repository, filepath.Dir(path))
			require.NoError(t, err)
			key := fmt.Sprintf("| `%s` | %s |", filepath.ToSlash(dir), text[m[2]:m[3]])
			rows[key] = append(rows[key], "`"+names[len(names)-1][1]+"`")
			calls++
		}
	}
	require.Greater(t, calls, 20)
	var lines []string
	for key, names := range rows {
		slices.Sort(names)
		lines = append(lines, key+" "+strings.Join(names, ", ")+" |")
	}
	slices.Sort(lines)
	for _, m := range modelNeeds.FindAllStringSubmatch(read(t, repository+"/integration/storetest/requires.go"), -1) {
		lines = append(lines, fmt.Sprintf("| `integration/storetest` | %s | tests with the table `%s` |", m[2], m[1]))
	}
	page := "docs/internals/cassandra.md"
	pagetest.Contains(t, page, read(t, repository+"/"+page), "| package | needs | tests |\n|---|---|---|\n"+strings.Join(lines, "\n")+"\n\n")
}
