package alternatives_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/alternatives"
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
	"vehicles/approach8/fleet":          "ClienteVeiculo.Placa",
}

func list(t *testing.T, dir, name string) *alternatives.Listing {
	t.Helper()
	files, err := load.Read(t.Context(), dir)
	require.NoError(t, err)
	l, err := alternatives.List(files, name, alternatives.Config{})
	require.NoError(t, err)
	return l
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
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err, "go test ./codegen/alternatives -update writes it")
		pagetest.Equal(t, file, b.String(), string(text), "go test ./codegen/alternatives -update")
	}
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
