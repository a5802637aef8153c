package diff

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"text/template"
)

//go:embed stub.tmpl
var stubTemplate string

// Stub returns the Go source of the functions that a migration calls, for the package of the model. A function is complete if the
// two schemas determine it; any other does not compile until it is written. migration is the file that calls them, such as
// 0002_rename.cql. adapter is the package of the store's driver below mapper/driver: gocqldriver or apachedriver.
func Stub(pkg, migration, adapter string, funcs []Func) ([]byte, error) {
	t, err := template.New("stub").Parse(stubTemplate)
	if err != nil {
		return nil, fmt.Errorf("diff: read the template of a stub: %w", err)
	}
	standard, others := imports(adapter, funcs)
	var b bytes.Buffer
	view := map[string]any{"Package": pkg, "Migration": migration, "Adapter": adapter, "Funcs": funcs, "Standard": standard, "Others": others}
	if err := t.Execute(&b, view); err != nil {
		return nil, fmt.Errorf("diff: write a stub: %w", err)
	}
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("diff: format a stub: %w", err)
	}
	return out, nil
}

// imports returns the packages that functions need, in the standard library and others.
func imports(adapter string, funcs []Func) (standard, others []string) {
	all := []string{"context", "github.com/cassaml/cassaml/mapper/driver"}
	for _, f := range funcs {
		if f.Move == nil {
			continue
		}
		all = append(all, "github.com/cassaml/cassaml/migrate/copydata")
		if f.Move.Store != "" {
			all = append(all, "github.com/cassaml/cassaml/mapper", "github.com/cassaml/cassaml/mapper/driver/"+adapter, "github.com/cassaml/cassaml/mapper/gen")
		}
		for _, c := range f.Move.Columns {
			if c.Convert != nil {
				all = append(all, c.Convert.imports...)
			}
		}
	}
	slices.Sort(all)
	for _, path := range slices.Compact(all) {
		switch {
		case strings.Contains(path, "."):
			others = append(others, path)
		case path != "":
			standard = append(standard, path)
		}
	}
	return standard, others
}

// StubFile returns the name of the Go file for the functions of a migration: 0002_rename.cql => migration_0002.go.
func StubFile(migration string) string {
	number, _, _ := strings.Cut(migration, "_")
	return "migration_" + number + ".go"
}
