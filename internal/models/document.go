package models

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// SchemaOnly is the line before the CQL of an example that a generated store does not execute yet.
const SchemaOnly = "-- schema only"

// Example is a model in the documentation of the language with its result: CQL or diagnostics.
type Example struct {
	Line   int    // the line of the model in the document
	Model  string // Go declarations without the package clause and the imports
	Kind   string // "sql", "text" for diagnostics
	Result string
	From   int // the line of the result's first line
}

// Examples returns the models of a document. Every block of Go is one, and the block after it is its result.
func Examples(t testing.TB, document string) []Example {
	t.Helper()
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	var out []Example
	var kind string
	var body []string
	from := 0
	for i, line := range strings.Split(string(text), "\n") {
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && from == 0:
			kind, body, from = fence, nil, i+2
		case isFence:
			switch last := len(out) - 1; kind {
			case "go":
				out = append(out, Example{Line: from, Model: strings.Join(body, "\n") + "\n"})
			case "sql", "text":
				require.True(t, last >= 0 && out[last].Kind == "", "%s:%d: there is no model above it", document, from)
				out[last].Kind, out[last].Result, out[last].From = kind, strings.Join(body, "\n"), from
			}
			from = 0
		case from > 0:
			body = append(body, line)
		}
	}
	for _, e := range out {
		require.NotEmpty(t, e.Kind, "%s:%d: a model without CQL or diagnostics", document, e.Line)
	}
	require.NotEmpty(t, out)
	return out
}

// ExampleImports are the packages that the examples use, by package name.
var ExampleImports = map[string]string{
	"aml": "github.com/cassaml/cassaml/aml", "big": "math/big", "gocql": "github.com/gocql/gocql", "inf": "gopkg.in/inf.v0",
	"net": "net", "netip": "net/netip", "sql": "database/sql", "strings": "strings", "time": "time", "url": "net/url", "utf8": "unicode/utf8",
	"driver": "database/sql/driver", "uuid": "github.com/google/uuid", "decimal": "github.com/shopspring/decimal",
}

var imported = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.[A-Z]`)

// File returns the example as a file of a package, with its imports.
func File(pkg, declarations string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\n", pkg)
	seen := map[string]bool{}
	for _, q := range imported.FindAllStringSubmatch(declarations, -1) {
		if path := ExampleImports[q[1]]; path != "" && !seen[path] {
			seen[path] = true
			fmt.Fprintf(&b, "import %q\n", path)
		}
	}
	return b.String() + "\n" + declarations
}
