package pagetest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/pagetest"
)

const page = `# Codes

| code | meaning |
|---|---|
| A1 | a missing table |
| A2 | an unknown column of a table |

The end.
`

// recorder is a test that records its failure and goes on.
type recorder struct {
	testing.TB
	message string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatal(args ...any) { r.message = fmt.Sprint(args...) }

func (r *recorder) Fatalf(format string, args ...any) { r.message = fmt.Sprintf(format, args...) }

func TestContains(t *testing.T) {
	for text, want := range map[string]string{
		"| A2 | an unknown column":                          "",
		"| A1 | a missing table |\n| A2 | an unknown":       "",
		"| A2 | an unknown column of a view |":              "page.md does not have the line\n\t| A2 | an unknown column of a view |\nThe nearest is line 6:\n\t| A2 | an unknown column of a table |",
		"|---|---|\n| A1 | a missing table |\n| A3 | new |": "page.md does not have the line\n\t| A3 | new |\nThe nearest is line 6:\n\t| A2 | an unknown column of a table |",
		"The end.\n\nOr not.":                               "page.md ends before the line\n\tOr not.",
		"a missing table\n| A2 |":                           "page.md has the lines from 5 on, but not as whole lines: a missing table",
	} {
		var r recorder
		pagetest.Contains(&r, "page.md", page, text)
		require.Equal(t, want, r.message)
	}
}

func TestMatches(t *testing.T) {
	var r recorder
	pagetest.Matches(&r, "page.md", page, `^\| A2 \|`)
	require.Empty(t, r.message)
	pagetest.Matches(&r, "page.md", page, `^\| A3 \|`)
	require.Equal(t, `page.md has no line that matches ^\| A3 \|`, r.message)
}

func TestEqual(t *testing.T) {
	for file, want := range map[string]string{
		page: "",
		strings.Replace(page, "missing", "lost", 1): "page.md:5: the file has\n\t| A1 | a lost table |\ninstead of\n\t| A1 | a missing table |\ngo test -update writes the file",
		page + "More.\n":                         "page.md:9: the file has\n\tMore.\ninstead of\n\t\ngo test -update writes the file",
		strings.TrimSuffix(page, "\nThe end.\n"): "page.md:8: the file has\n\tend of file\ninstead of\n\tThe end.\ngo test -update writes the file",
	} {
		var r recorder
		pagetest.Equal(&r, "page.md", page, file, "go test -update")
		require.Equal(t, want, r.message)
	}
}
