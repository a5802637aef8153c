package aml_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/internal/pagetest"
)

// The table of types in the documentation has every Go type of native types, with these types and its default first. The
// documentation of the package also has each of them.
func TestTypesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/language.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(page), "| Go | CQL | also, by `type=` |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	documented := map[string][]string{}
	for _, line := range strings.Split(table, "\n") {
		cells := strings.Split(line, " | ")
		of, defaults, others := code(cells[0]), code(cells[1]), code(cells[2])
		for i, g := range of {
			if len(defaults) == len(of) { // one each
				documented[g] = append([]string{defaults[i]}, others...)
			} else {
				documented[g] = append(defaults, others...)
			}
		}
	}
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for _, n := range cqltype.Natives() {
		for _, g := range n.Go {
			var want []string
			for _, stored := range cqltype.StoredAs(g.Text) {
				want = append(want, stored.Name)
			}
			require.Equal(t, want, documented[g.Text], g.Text)
		}
		pagetest.Matches(t, "aml/doc.go", string(doc), `\b`+n.Name+`\b`)
	}
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// code returns the code in a cell of a table, without options.
func code(cell string) (out []string) {
	for _, m := range codeSpan.FindAllStringSubmatch(cell, -1) {
		if !strings.Contains(m[1], "=") {
			out = append(out, m[1])
		}
	}
	return out
}
