package alternatives_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/alternatives"
	tally "github.com/cassaml/cassaml/integration/alternatives"
	"github.com/cassaml/cassaml/integration/cassandra"
)

var all = flag.Bool("all", false, "call the stores of all designs of the quickstart, and of a few designs of other examples; each is compiled")

// programFolder is the folder in which the go command sees the stores of the designs and the program that calls them. Nothing is written there:
// the files come from an overlay.
const programFolder = "testdata/designs"

// effects are the names of effects for package tally.
var effects = map[alternatives.Effect]string{alternatives.Inserting: "inserting", alternatives.Adding: "adding", alternatives.Changing: "changing",
	alternatives.Removing: "removing", alternatives.Renaming: "renaming", alternatives.Deleting: "deleting"}

// few are the designs that are called without -all, and of all relationships but the first: one of each kind of request.
var few = []string{"embedded-list-total", "embedded-list-partial-versioned", "references-from-root-checked", "pairs", "parts-in-root-versioned"}

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
	texts, schemas := map[string][]byte{}, map[string][]string{}
	var imports, calls strings.Builder
	var called []*alternatives.Alternative
	for i, a := range l.Alternatives {
		if a.Refused != "" || a.NoStore != "" || a.Costs[alternatives.Insert] == nil || !every && !slices.Contains(few, a.Name) {
			continue
		}
		called = append(called, a)
		name := fmt.Sprint("design", i)
		path := "github.com/cassaml/cassaml/integration/alternatives/" + programFolder + "/" + name
		require.NoError(t, a.Package(codegen.Config{}, path, func(file string, data []byte) {
			if strings.HasSuffix(file, ".go") {
				texts[name+"/"+file] = bytes.Replace(data, []byte("\npackage "+a.Model.Package.Name), []byte("\npackage "+name), 1)
			}
		}))
		fmt.Fprintf(&imports, "\t%q\n", path)
		fmt.Fprintf(&calls, "\trun(%q, func(t mapper.Tracer) (any, error) {\n\t\tif session, ok := node(%q); ok {\n\t\t\treturn %s.Open(context.Background(), session, mapper.Config{Tracer: t})\n\t\t}\n"+
			"\t\treturn %s.OpenBackend(context.Background(), memory.New(memory.Config{}), mapper.Config{Tracer: t})\n\t}, %#v)\n", a.Name, name, name, name, described(l, a))
		schemas[name] = a.Schema.Statements()
	}
	source, err := format.Source([]byte(fmt.Sprintf(program, imports.String(), calls.String())))
	require.NoError(t, err)
	texts["main.go"] = source
	compare(t, called, tallied(t, texts))
	server := cassandra.Test(t)
	keyspaces := createSchemas(t, server, schemas)
	compare(t, called, tallied(t, texts, "AML_NODE="+server.Hosts()[0], "AML_KEYSPACES="+keyspaces))
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
func tallied(t *testing.T, texts map[string][]byte, environment ...string) map[string]map[string]tally.Count {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "run", "-overlay="+overlay(t, texts), "./"+programFolder)
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
				if have := (tally.Count{Requests: c.Requests, Conditional: c.Conditional, Statements: c.Statements}); want != have {
					t.Errorf("%s: %s: the store sends %+v, and the explanation has %+v", a.Name, o, want, have)
				}
			}
		}
	}
}

// described returns what the program must know about a design.
func described(l *alternatives.Listing, a *alternatives.Alternative) tally.Design {
	side := func(s *alternatives.Side) tally.Side {
		out := tally.Side{Struct: s.Struct}
		for _, k := range s.Key {
			out.Key = append(out.Key, k.Name)
		}
		return out
	}
	d := tally.Design{Root: side(l.Root), Element: side(l.Element), Elements: l.Elements, Keys: map[string][]string{}, Partition: map[string]int{}, Operations: map[string][]tally.Call{}}
	for _, x := range a.Model.Aggregates {
		for _, k := range x.Key() {
			d.Keys[x.Struct.Name] = append(d.Keys[x.Struct.Name], k.GoName())
		}
		d.Partition[x.Struct.Name] = len(x.Identifier)
	}
	for o, calls := range a.Calls {
		for _, c := range calls {
			d.Operations[string(o)] = append(d.Operations[string(o)], tally.Call{Of: c.Of, Method: c.Method, Field: c.Field, Effect: effects[c.Effect], Each: c.Each})
		}
	}
	return d
}

// overlay writes files, and the file that shows them to the go command in programFolder. It returns its path.
func overlay(t *testing.T, files map[string][]byte) string {
	t.Helper()
	at, err := filepath.Abs(programFolder)
	require.NoError(t, err)
	dir, replace := t.TempDir(), map[string]string{}
	for name, text := range files {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		require.NoError(t, os.WriteFile(file, text, 0o644))
		replace[filepath.Join(at, filepath.FromSlash(name))] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	return file
}

const program = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/integration/alternatives"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
%s)

var counts = map[string]map[string]alternatives.Count{}

func main() {
%s	if err := json.NewEncoder(os.Stdout).Encode(counts); err != nil {
		panic(err)
	}
}

// node returns a session in the keyspace of a design; false if the stores are in memory.
func node(design string) (gocqlx.Session, bool) {
	host := os.Getenv("AML_NODE")
	if host == "" {
		return gocqlx.Session{}, false
	}
	cluster := gocql.NewCluster(host)
	cluster.Keyspace, cluster.WriteCoalesceWaitTime = os.Getenv("AML_KEYSPACES")+design, 0
	session, err := gocqlx.WrapSession(cluster.CreateSession())
	if err != nil {
		panic(err)
	}
	return session, true
}

func run(name string, open alternatives.Open, d alternatives.Design) {
	out, err := alternatives.Tally(context.Background(), open, d)
	if err != nil {
		fmt.Fprintln(os.Stderr, name, err)
		os.Exit(1)
	}
	counts[name] = out
}
`
