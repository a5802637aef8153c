package alternatives_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/alternatives"
	tally "github.com/cassaml/cassaml/integration/alternatives"
	"github.com/cassaml/cassaml/integration/cassandra"
)

var all = flag.Bool("all", false, "call the stores of all designs of the quickstart, and of a few designs of other examples; each is compiled")

// few are the designs that are called without -all, and of all relationships but the first: one of each kind of request.
var few = []string{"embedded-list-total", "embedded-list-partial-versioned", "references-from-root-checked", "pairs", "parts-in-root-versioned", "reference-from-element-checked", "inverse-copied-versioned"}

// The requests and statements of each operation of each design are those that its store sends, in memory and to a node.
func TestCostsAreThoseOfTheStores(t *testing.T) {
	t.Parallel()
	relationships := map[string]string{"quickstart/shop": "Customer.Vehicles"}
	if *all {
		relationships["vehicles/approach1/fleet"] = "Cliente.Veiculos"
		relationships["vehicles/approach3versioned/fleet"] = "Cliente.Veiculos"
		relationships["vehicles/approach7/fleet"] = "Veiculo.IDCliente"
	}
	for folder, name := range relationships {
		files, err := load.Read(t.Context(), "../../examples/"+folder)
		require.NoError(t, err)
		l, err := alternatives.List(files, name, alternatives.Config{})
		require.NoError(t, err)
		compareDesigns(t, l, *all && folder == "quickstart/shop")
	}
}

// compareDesigns compares the costs of the designs of a relationship with the requests of their stores.
func compareDesigns(t *testing.T, l *alternatives.Listing, every bool) {
	t.Helper()
	p, err := tally.NewProgram(l, func(design string) bool { return every || design == l.Current() || slices.Contains(few, design) })
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "program")
	require.NoError(t, p.Build(t.Context(), "../..", t.TempDir(), file))
	compare(t, p.Designs, tallied(t, file))
	server := cassandra.Test(t)
	keyspaces := createSchemas(t, server, p.Schemas)
	compare(t, p.Designs, tallied(t, file, tally.NodeVariable+"="+server.Hosts()[0], tally.KeyspacesVariable+"="+keyspaces))
}

// createSchemas creates the tables of each design in a keyspace, and returns what the names of the keyspaces begin with.
func createSchemas(t *testing.T, server *cassandra.Server, schemas map[string][]string) string {
	t.Helper()
	prefix := "tally_" + strings.ReplaceAll(uuid.NewString(), "-", "")[:8] + "_"
	for name, statements := range schemas {
		session, err := server.Keyspace(t.Context(), prefix+name)
		require.NoError(t, err)
		for _, s := range statements {
			require.NoError(t, session.Session.Query(s).Exec(), "%s", s)
		}
		t.Cleanup(func() {
			require.NoError(t, session.Session.Query("DROP KEYSPACE "+prefix+name).Exec())
			session.Close()
		})
	}
	return prefix
}

// tallied runs the program and returns the counts of each design, by operation.
func tallied(t *testing.T, program string, environment ...string) map[string]map[string]tally.Count {
	t.Helper()
	command := exec.CommandContext(t.Context(), program)
	command.Env = append(os.Environ(), environment...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	require.NoError(t, err, "%s", stderr.String())
	got := map[string]map[string]tally.Count{}
	require.NoError(t, json.Unmarshal(out, &got))
	return got
}

// compare compares the counts of the operations of designs with those that are printed.
func compare(t *testing.T, called []*alternatives.Alternative, got map[string]map[string]tally.Count) {
	t.Helper()
	for _, a := range called {
		for _, o := range alternatives.Operations() {
			if c := a.Costs[o]; c != nil {
				want := got[a.Name][string(o)]
				if have := (tally.Count{Requests: c.Requests, Conditional: c.Conditional, Statements: c.Statements, Partitions: c.Partitions}); want != have {
					t.Errorf("%s: %s: the store sends %+v, and the explanation has %+v", a.Name, o, want, have)
				}
			}
		}
	}
}
