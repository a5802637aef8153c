package reverse

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// markers are the types of package aml that structs embed.
var markers = map[model.Marker]string{model.AggregateMarker: "aml.Aggregate", model.ValueObjectMarker: "aml.ValueObject"}

// print returns the file: tables in order, each followed by the structs that it is the first to use.
func (w *writer) print(c Config, gaps []gap) ([]byte, error) {
	all := reachable(w.tables)
	var b bytes.Buffer
	title := "is a model of existing tables"
	if c.Keyspace != "" {
		title = "is the model of the existing keyspace " + c.Keyspace
	}
	fmt.Fprintf(&b, "// Package %s %s.\n", c.Package, title)
	printGaps(&b, "The keyspace differs from the model:", gaps, "")
	fmt.Fprintf(&b, "package %s\n\n//go:generate go tool aml generate\n\n", c.Package)
	printImports(&b, all)
	for _, s := range all {
		s.print(&b, gaps)
	}
	out, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format the model: %w", err)
	}
	return out, nil
}

// printGaps writes the gaps of a table as a comment.
func printGaps(b *bytes.Buffer, title string, gaps []gap, table string) {
	first := true
	for _, g := range gaps {
		if g.table != table {
			continue
		}
		if first {
			fmt.Fprintf(b, "//\n// %s\n//\n", title)
		}
		first = false
		fmt.Fprintf(b, "//   - %s\n", comment(g.text))
	}
}

// comment returns a text in one line.
func comment(s string) string { return strings.Join(strings.Fields(s), " ") }

func printImports(b *bytes.Buffer, all []*structure) {
	if len(all) == 0 {
		return
	}
	used := []string{"github.com/cassaml/cassaml/aml"}
	for _, s := range all {
		used = append(used, s.imports...)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	isOwn := func(path string) bool { return !strings.Contains(path, ".") }
	fmt.Fprintln(b, "import (")
	for _, path := range used {
		if isOwn(path) {
			fmt.Fprintf(b, "%q\n", path)
		}
	}
	fmt.Fprintln(b)
	for _, path := range used {
		if !isOwn(path) {
			fmt.Fprintf(b, "%q\n", path)
		}
	}
	fmt.Fprint(b, ")\n\n")
}

func (s *structure) print(b *bytes.Buffer, gaps []gap) {
	fmt.Fprintf(b, "// %s\n", comment(s.about))
	if s.table != "" {
		printGaps(b, "The table differs from the struct:", gaps, s.table)
	}
	fmt.Fprintf(b, "type %s struct {\n", s.name)
	if m := markers[s.marker]; m != "" {
		fmt.Fprintf(b, "%s %s\n\n", m, tagLiteral(s.tag))
	}
	for _, f := range s.fields {
		fmt.Fprintf(b, "%s %s %s\n", f.name, f.shape.text, tagLiteral(f.tag))
	}
	fmt.Fprint(b, "}\n\n")
}
