package diagram_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/mermaid"
	"github.com/cassaml/cassaml/internal/models"
)

// ofAggregates are the notations that draw the model, not its tables: they distinguish also what has no effect on the CQL.
var ofAggregates = []diagram.Notation{diagram.AML, diagram.AMLMembers, diagram.MermaidClass}

// ofTables are the notations that draw the tables.
var ofTables = []diagram.Notation{diagram.Chebotko, diagram.ChebotkoLogical, diagram.MermaidER}

// Each option of the language is visible in the pictures: a model with it and one without have different pictures of their aggregates and,
// if their CQL differs, of their tables. The exceptions are listed in docs/diagrams.md.
func TestOptionsAreDrawn(t *testing.T) {
	file, err := txtar.ParseFile("testdata/options.txtar")
	require.NoError(t, err)
	tested := map[string]bool{}
	exceptions := undrawn(t)
	for i, f := range file.Files {
		tested[f.Name] = true
		name := fmt.Sprintf("%s, model %d", f.Name, i+1)
		with, without := optional.ReplaceAllString(string(f.Data), "$1"), optional.ReplaceAllString(string(f.Data), "$2")
		a, b := drawAll(t, name, with), drawAll(t, name, without)
		for _, n := range slices.Concat(ofAggregates, ofTables) {
			if a.picture[n] == b.picture[n] && (a.cql != b.cql || slices.Contains(ofAggregates, n)) {
				exceptions.require(t, f.Name, n, with)
			}
		}
	}
	for _, o := range documentedOptions(t) {
		require.True(t, tested[o], "testdata/options.txtar has no model with %s", o)
	}
	exceptions.requireUsed(t, func(name string) bool { return strings.Contains(name, " on ") })
}

// optional is a part of a model with an option, and after the bar its replacement in the model without it.
var optional = regexp.MustCompile(`⟨([^⟩|]*)\|?([^⟩]*)⟩`)

// documentedOptions returns each option of docs/language.md with each place where it is allowed, such as "final on field".
func documentedOptions(t *testing.T) (out []string) {
	t.Helper()
	rows := tableRows(t, "../../docs/language.md", "| option | on | meaning |")
	for _, row := range rows {
		for _, place := range strings.Split(row[1], ", ") {
			out = append(out, strings.Trim(row[0], "`")+" on "+place)
		}
	}
	require.NotEmpty(t, out)
	return out
}

// tableRows returns the cells of the rows of a table in a document of Markdown.
func tableRows(t *testing.T, file, header string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(data), header+"\n")
	require.True(t, ok, "%s has no table %s", file, header)
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows[1:]
}

// pictures are the CQL of a model, and the model in each notation.
type pictures struct {
	cql     string
	picture map[diagram.Notation]string
}

// drawAll draws a model in each notation.
func drawAll(t *testing.T, name, declarations string) pictures {
	t.Helper()
	known, err := languageImports()
	require.NoError(t, err, name)
	m := newModel(t, known.Source(t, "example.com/one", models.File("one", declarations)))
	out := pictures{m.Schema.CQL(), map[diagram.Notation]string{}}
	for _, n := range drawn {
		drawings, err := diagram.Draw(n, []diagram.Model{m}, diagram.Options{})
		require.NoError(t, err, name)
		out.picture[n] = string(drawings[0].SVG(false))
	}
	for _, n := range []diagram.Notation{diagram.MermaidClass, diagram.MermaidER} {
		sections, err := mermaid.Draw(n, []diagram.Model{m}, diagram.Options{})
		require.NoError(t, err, name)
		out.picture[n] = sections[0].Text
	}
	return out
}

var languageImports = sync.OnceValues(func() (*models.Imports, error) {
	return models.Load(".", slices.Sorted(maps.Values(models.ExampleImports))...)
})

// Two Go types whose CQL differs have different pictures, as a column and in a value object.
func TestTypesAreDrawn(t *testing.T) {
	file, err := txtar.ParseFile("testdata/types.txtar")
	require.NoError(t, err)
	for _, row := range tableRows(t, "../../docs/language.md", "| Go | CQL | also, by `type=` |") {
		require.True(t, slices.ContainsFunc(file.Files, func(f txtar.File) bool { return f.Name == row[0] }), "testdata/types.txtar has no %s", row[0])
	}
	exceptions := undrawn(t)
	for _, place := range []struct{ name, model string }{
		{"type of a column", "type Root struct {\n\taml.Aggregate `aml:\"roots\"`\n\n\tID int32 `aml:\"id,identifier\"`\n\t%s}\n"},
		{"type of a field of a value object", "type Root struct {\n\taml.Aggregate `aml:\"roots\"`\n\n\tID int32 `aml:\"id,identifier\"`\n\tIn In `aml:\"in,composition\"`\n}\n\ntype In struct {\n\t%s}\n"},
	} {
		var all []pictures
		for _, f := range file.Files {
			field, declarations, _ := strings.Cut(string(f.Data), "\n")
			m := drawAll(t, f.Name, fmt.Sprintf(place.model, field+"\n")+declarations)
			for i, o := range all {
				for n := range m.picture {
					if m.cql != o.cql && m.picture[n] == o.picture[n] {
						exceptions.require(t, place.name, n, file.Files[i].Name+" and "+f.Name)
					}
				}
			}
			all = append(all, m)
		}
	}
	exceptions.requireUsed(t, func(name string) bool { return strings.HasPrefix(name, "type of ") })
}

// exceptions are the differences that docs/diagrams.md lists as not drawn, with the notations, and whether a test has found them.
type exceptions map[string]map[diagram.Notation]bool

// undrawn returns the differences that docs/diagrams.md lists.
func undrawn(t *testing.T) exceptions {
	t.Helper()
	out := exceptions{}
	for _, row := range tableRows(t, "../../docs/diagrams.md", "| not drawn | in | reason |") {
		for _, name := range strings.Split(row[0], ", ") {
			name = strings.ReplaceAll(name, "`", "")
			if out[name] == nil {
				out[name] = map[diagram.Notation]bool{}
			}
			for _, n := range strings.Split(row[1], ", ") {
				out[name][diagram.Notation(strings.Trim(n, "`"))] = false
			}
			require.NotEmpty(t, row[2], name)
		}
	}
	return out
}

// require fails if a difference is not listed.
func (e exceptions) require(t *testing.T, name string, n diagram.Notation, model string) {
	t.Helper()
	if _, ok := e[name][n]; !ok {
		t.Errorf("%s: %s does not show it, and docs/diagrams.md does not list it:\n%s", name, n, model)
		e[name] = maps.Clone(e[name]) // one report is sufficient
		if e[name] == nil {
			e[name] = map[diagram.Notation]bool{}
		}
	}
	e[name][n] = true
}

// requireUsed fails if the list has a difference that is drawn, or that no test has.
func (e exceptions) requireUsed(t *testing.T, of func(string) bool) {
	t.Helper()
	for name, notations := range e {
		for n, used := range notations {
			if of(name) && !used {
				t.Errorf("docs/diagrams.md: %s is drawn in %s: delete it from the list", name, n)
			}
		}
	}
}
