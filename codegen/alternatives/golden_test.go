package alternatives_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/internal/pagetest"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

const examples = "../../examples/"

// relationships are relationships of the examples, by the folder of the model.
var relationships = map[string]string{
	"quickstart/shop":                   "Customer.Vehicles",
	"vehicles/approach1/fleet":          "Cliente.Veiculos",
	"vehicles/approach1map/fleet":       "Cliente.Veiculos",
	"vehicles/approach3versioned/fleet": "Cliente.Veiculos",
	"vehicles/approach6/fleet":          "Cliente.VeiculosIDs",
	"vehicles/approach7checked/fleet":   "Veiculo.IDCliente",
	"vehicles/approach8/fleet":          "ClienteVeiculo.IDCliente",
}

func list(t *testing.T, dir, name string) *alternatives.Listing {
	t.Helper()
	l, err := alternatives.List(read(t, dir), name, alternatives.Config{})
	require.NoError(t, err)
	return l
}

// imports has the types of the packages that the examples import: the go command runs once for all of them.
var imports = sync.OnceValues(func() (*models.Imports, error) {
	return models.Load(".", "github.com/cassaml/cassaml/aml", "github.com/gocql/gocql", "gopkg.in/inf.v0", "path", "time")
})

// read reads the model of an example.
func read(t *testing.T, dir string) *load.Files {
	t.Helper()
	known, err := imports()
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, "model.go"))
	require.NoError(t, err)
	path := strings.TrimPrefix(filepath.ToSlash(dir), "../../")
	return &load.Files{Path: "github.com/cassaml/cassaml/" + path, Texts: map[string][]byte{"model.go": text}, Fset: known.Fset, Imports: known}
}

// Each relationship has a golden file with the table and the designs.
func TestAlternativesOfTheExamples(t *testing.T) {
	t.Parallel()
	for folder, name := range relationships {
		l := list(t, examples+folder, name)
		var b strings.Builder
		b.WriteString(l.Table())
		for _, a := range l.Alternatives {
			b.WriteString("\n" + a.Text())
		}
		file := filepath.Join("testdata", strings.ReplaceAll(folder, "/", "-")+".txt")
		compare(t, file, b.String())
	}
}

// The tables of all relationships of all examples are in one file, or the reason why there are no designs.
func TestTablesOfTheExamples(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, pattern := range []string{"*", "*/*", "*/*/*"} {
		found, err := filepath.Glob(filepath.Join(examples, pattern, "model.go"))
		require.NoError(t, err)
		for _, f := range found {
			tables(t, &b, filepath.Dir(f))
		}
	}
	compare(t, filepath.Join("testdata", "tables.txt"), b.String())
}

func tables(t *testing.T, b *strings.Builder, dir string) {
	t.Helper()
	files := read(t, dir)
	p, err := files.Package(files.Texts)
	require.NoError(t, err)
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults))
	for _, name := range alternatives.Names(m) {
		fmt.Fprintf(b, "== %s\n\n", filepath.ToSlash(strings.TrimPrefix(dir, filepath.FromSlash(examples))))
		l, err := alternatives.List(files, name, alternatives.Config{})
		if err != nil {
			fmt.Fprintf(b, "%v\n\n", err)
			continue
		}
		for _, a := range l.Alternatives {
			for o, c := range a.Costs {
				require.GreaterOrEqual(t, c.Partitions, c.Requests, "%s: %s", a.Name, o)
			}
		}
		b.WriteString(l.Table() + "\n")
	}
}

// compare compares a text with a golden file, or writes it there.
func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err, "go test ./codegen/alternatives -update writes it")
	pagetest.Equal(t, file, got, string(text), "go test ./codegen/alternatives -update")
}

// docs/advice.md has the table of the quickstart with some designs.
func TestPageHasTheTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/advice.md")
	require.NoError(t, err)
	l := list(t, examples+"quickstart/shop", "Customer.Vehicles")
	shown := []string{"embedded-list", "embedded-list-total", "references-from-root", "reference-from-element-table", "pairs", "parts"}
	for _, a := range l.Alternatives {
		form := strings.TrimSuffix(strings.TrimSuffix(a.Name, "-versioned"), "-checked")
		pagetest.Matches(t, "docs/advice.md", string(page), "(?m)^\\|.*`"+form+"(-versioned)?`")
	}
	l.Alternatives = slices.DeleteFunc(l.Alternatives, func(a *alternatives.Alternative) bool { return !slices.Contains(shown, a.Name) })
	pagetest.Contains(t, "docs/advice.md", string(page), l.Table())
	for _, o := range alternatives.Operations() {
		pagetest.Contains(t, "docs/advice.md", string(page), "\n| "+string(o)+" |")
	}
}
