package diff

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"strings"
	"text/template"
)

//go:embed stub.tmpl
var stubTemplate string

// Stub gives the Go source of functions that a migration calls, for the package of the model. Each returns an error until it
// is written. migration is the file that calls them: 0002_rename.cql.
func Stub(pkg, migration string, funcs []Func) ([]byte, error) {
	t, err := template.New("stub").Parse(stubTemplate)
	if err != nil {
		return nil, fmt.Errorf("diff: read the template of a stub: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]any{"Package": pkg, "Migration": migration, "Funcs": funcs}); err != nil {
		return nil, fmt.Errorf("diff: write a stub: %w", err)
	}
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("diff: format a stub: %w", err)
	}
	return out, nil
}

// StubFile is the name of the Go file for the functions of a migration: 0002_rename.cql => migration_0002.go.
func StubFile(migration string) string {
	number, _, _ := strings.Cut(migration, "_")
	return "migration_" + number + ".go"
}
