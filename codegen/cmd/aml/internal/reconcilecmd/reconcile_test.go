package reconcilecmd

import (
	"bytes"
	"context"
	"errors"
	"go/parser"
	"go/token"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
	"github.com/cassaml/cassaml/mapper"
)

// quickstart returns the model of the example, and the function main of its program.
func quickstart(t *testing.T) (r *reconciliation, main string) {
	t.Helper()
	r = &reconciliation{}
	c := &cobra.Command{}
	c.SetContext(t.Context())
	m, s, err := r.readStore(c, shopFolder)
	require.NoError(t, err)
	require.NoError(t, r.resolve(s))
	return r, mainSource(m, s, codegen.Config{})
}

const shopFolder = "../../../../../examples/quickstart/shop"

func TestTheRowOfARestamp(t *testing.T) {
	c := &cobra.Command{}
	c.SetContext(t.Context())
	_, s, err := (&reconciliation{}).readStore(c, shopFolder)
	require.NoError(t, err)
	for text, want := range map[string]program.Restamp{
		"customers WHERE id = 5":                 {Table: "customers", Condition: "id = 5"},
		"Customers where id=5 AND x='a WHERE b'": {Table: "customers", Condition: "id=5 AND x='a WHERE b'"},
		" \"customers\"\n WHERE\tid = 5 ":        {Table: "customers", Condition: "id = 5"},
	} {
		got, err := newRestamp(s, text, "")
		require.NoError(t, err, text)
		require.Equal(t, &want, got, text)
	}
	for text, want := range map[string]string{
		"customers":             `-restamp "customers": write it as 'TABLE WHERE CONDITION', such as 'customers WHERE id = 5'`,
		"customers WHERE ":      `-restamp "customers WHERE ": write it as 'TABLE WHERE CONDITION', such as 'customers WHERE id = 5'`,
		"vehicles WHERE id = 5": "-restamp: vehicles is a redundant table of customers: use customers",
		`"Customers" WHERE a=1`: "-restamp: Customers is not the table of a root with redundant tables, parts or a version: use one of customers",
	} {
		_, err := newRestamp(s, text, "")
		require.EqualError(t, err, want)
	}
	require.Equal(t, `a"B`, tableName(`"a""B"`))
	for text, want := range map[string]int64{"1": 1, "2026-11-22T18:30:00Z": 1795372200000000, "2026-11-22T19:30:00.000001+01:00": 1795372200000001} {
		got, err := newRestamp(s, "customers WHERE id = 5", text)
		require.NoError(t, err)
		require.Equal(t, want, got.Above, text)
	}
	for _, text := range []string{"0", "-5", "tomorrow", "1960-01-01T00:00:00Z"} {
		_, err := newRestamp(s, "customers WHERE id = 5", text)
		require.EqualError(t, err, "-above "+text+": use a time such as 2026-11-22T18:30:00Z, or microseconds since 1970")
	}
}

func TestTheTableOfARefill(t *testing.T) {
	c := &cobra.Command{}
	c.SetContext(t.Context())
	_, s, err := (&reconciliation{}).readStore(c, shopFolder)
	require.NoError(t, err)
	got, err := newRefill(s, "vehicles")
	require.NoError(t, err)
	require.Equal(t, &program.Refill{Table: "vehicles", CQL: "vehicles", Root: "customers"}, got)
	_, err = newRefill(s, "customers")
	require.EqualError(t, err, "-refill: customers is not a redundant table: use one of vehicles")
}

// Without a terminal a refill is not started by mistake.
func TestRefillAsks(t *testing.T) {
	r := &reconciliation{refill: "vehicles"}
	r.Refill = &program.Refill{Table: "vehicles", Root: "customers"}
	c := &cobra.Command{}
	c.SetIn(strings.NewReader("y\n"))
	require.EqualError(t, r.confirm(c), "-refill vehicles empties the table, and there is no terminal to ask: add -yes")
	r.yes = true
	require.NoError(t, r.confirm(c))

	for answer, want := range map[string]error{"y\n": nil, "YES\r\n": nil, "n\n": errNotConfirmed, "\n": errNotConfirmed, "": errNotConfirmed} {
		var out bytes.Buffer
		require.ErrorIs(t, prompt(t.Context(), strings.NewReader(answer), &out, "sure? "), want, answer)
		require.Equal(t, "sure? ", out.String())
	}
	in, writer, err := os.Pipe()
	require.NoError(t, err)
	defer writer.Close()
	defer in.Close()
	ended, end := context.WithCancelCause(t.Context())
	end(errors.New("a signal"))
	require.EqualError(t, prompt(ended, in, &bytes.Buffer{}, ""), "a signal")
}

// events returns the events of a run with one finding of each form.
func events(clean bool) []program.Event {
	at := time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)
	found := []mapper.Drift{
		{Kind: mapper.DriftMissing, Aggregate: "Customer", Table: "vehicles", Key: "plate='A'", Repaired: true},
		{Kind: mapper.DriftStale, Aggregate: "Customer", Table: "vehicles", Key: "plate='B'", Column: "color", Want: "'red'", Have: "'blue'", Repaired: true},
		{Kind: mapper.DriftStale, Aggregate: "Customer", Table: "vehicles", Key: "plate='B'", Column: "color", Have: "'blue'", Repaired: true},
		{Kind: mapper.DriftTwoOwners, Aggregate: "Customer", Table: "vehicles", Key: "plate='C'", Want: "id=1", Have: "id=2", Repaired: clean, Reason: "both rows\nof customers have it"},
	}
	report := &mapper.ReconcileReport{From: at, To: at.Add(1500 * time.Millisecond), Rows: 9, NotSearched: []string{"by_color"}, Purged: 1,
		Found: map[string]map[mapper.DriftKind]int64{"vehicles": {mapper.DriftTwoOwners: 1, mapper.DriftMissing: 1, mapper.DriftStale: 2}}, Repaired: 3}
	if clean {
		report.Repaired, report.Purged = 4, 0
	}
	if !clean {
		found = append(found, mapper.Drift{Kind: mapper.DriftMissingRoot, Aggregate: "Order", Table: "orders", Key: "id=3", Reason: "customers has no such row"})
		report.Found["orders"] = map[mapper.DriftKind]int64{mapper.DriftMissingRoot: 1}
	}
	out := []program.Event{{Progress: &program.Progress{Table: "customers", Done: 1, Total: 2, Rows: 5}}}
	for i := range found {
		out = append(out, program.Event{Found: &found[i]})
	}
	return append(out, program.Event{Report: report})
}

// printed returns what a run prints for events, and its error.
func printed(t *testing.T, asJSON bool, list []program.Event) (string, error) {
	t.Helper()
	c := &cobra.Command{}
	var out, errs bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&errs)
	o := newOutput(c, asJSON, &program.Request{})
	for _, e := range list {
		require.NoError(t, o.print(e))
	}
	err := o.end()
	require.Empty(t, errs.String(), "a bar is for terminals only")
	return out.String(), err
}

func TestReconcilePrintsFindings(t *testing.T) {
	out, err := printed(t, false, events(false))
	require.Equal(t, `vehicles plate='A' (Customer): missing; repaired
vehicles plate='B' (Customer): stale: column color is 'blue', not 'red'; repaired
vehicles plate='B' (Customer): stale: column color is 'blue'; repaired
vehicles plate='C' (Customer): two owners: id=2 and id=1; not repaired: both rows of customers have it
orders id=3 (Order): missing root; not repaired: customers has no such row
orders: missing root 1
vehicles: missing 1, stale 2, two owners 1
not searched for orphans, because their rows do not contain the key of their root: by_color
rows read 9, findings 5, repaired 3, left for a later run 0, removed 1, time 1.5s
`, out)
	require.EqualError(t, err, "drift is left: findings that were not repaired 2, rows that are left for a later run 0")
	left, ok := errors.AsType[*commandline.ExitError](err)
	require.True(t, ok)
	require.Equal(t, 3, left.Code)

	_, err = printed(t, false, events(true))
	require.NoError(t, err)
	later := events(true)
	later[len(later)-1].Report.TooRecent = 2
	_, err = printed(t, false, later)
	require.EqualError(t, err, "drift is left: findings that were not repaired 0, rows that are left for a later run 2")
	_, err = printed(t, false, later[:1])
	require.EqualError(t, err, "the program ended without a report")
	require.NotErrorAs(t, err, &left)
}

// The report is the last object, also if drift is left.
func TestReconcilePrintsJSON(t *testing.T) {
	out, err := printed(t, true, events(false))
	require.Error(t, err)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 6)
	require.Equal(t, `{"kind":"finding","drift":"stale","aggregate":"Customer","table":"vehicles","key":"plate='B'","column":"color",`+
		`"want":"'red'","have":"'blue'","repaired":true,"reason":""}`, lines[1])
	require.Equal(t, `{"kind":"report","from":"2026-11-22T18:00:00Z","to":"2026-11-22T18:00:01.5Z","rows":9,`+
		`"found":{"orders":{"missing root":1},"vehicles":{"missing":1,"stale":2,"two owners":1}},"findings":5,"repaired":3,"too_recent":0,"purged":1,`+
		`"not_searched":["by_color"],"clean":false}`, lines[5])
	out, err = printed(t, true, []program.Event{{Report: &mapper.ReconcileReport{}}})
	require.NoError(t, err)
	require.Contains(t, out, `"found":{},`)
	require.Contains(t, out, `"not_searched":[],"clean":true}`)
}

// The bar shows the progress, and is removed before the report.
func TestReconcileDrawsABar(t *testing.T) {
	var bar bytes.Buffer
	o := &output{bar: commandline.DrawBar(&bar, 0), refill: &program.Refill{Table: "vehicles", Root: "customers"}}
	require.NoError(t, o.print(program.Event{Progress: &program.Progress{Table: "customers", Done: 1, Total: 4, Rows: 5}}))
	require.Contains(t, bar.String(), "customers: rows 5, slices")
	require.Contains(t, bar.String(), "(1/4)")
	require.NoError(t, o.print(program.Event{Rows: 500}))
	o.finish()
	require.Equal(t, int64(500), o.rows)
	require.True(t, strings.HasSuffix(bar.String(), "\r"), "%q", bar.String())
}

// The program of a store for Apache's driver links that driver alone.
func TestProgramOverApachesDriver(t *testing.T) {
	const folder = "../../../../testdata/golden/apache"
	p, err := load.Load(t.Context(), folder)
	require.NoError(t, err)
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), "%v", faults)
	b, err := build(t.Context(), folder, mainSource(m, schema.New(m), codegen.Config{Driver: codegen.Apache}), codegen.Apache)
	require.NoError(t, err)
	t.Cleanup(b.remove)
	symbols, err := exec.CommandContext(t.Context(), "go", "version", "-m", b.file).Output()
	require.NoError(t, err)
	require.Contains(t, string(symbols), "github.com/apache/cassandra-gocql-driver/v2")
	require.NotContains(t, string(symbols), "github.com/gocql/gocql")
	r := program.Request{Connection: program.Connection{Hosts: []string{"127.0.0.1:1"}, Keyspace: "shop", Timeout: time.Second}}
	require.ErrorContains(t, b.run(t.Context(), r, os.Stderr, func(program.Event) error { return nil }), "cannot connect: ")
}

// The program is compiled in the module of the model, which has the packages of a generated store only.
func TestProgramNeedsNoFurtherPackages(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "program.go", program.Source, parser.ImportsOnly)
	require.NoError(t, err)
	store, err := os.ReadFile(shopFolder + "/aml_gen.go")
	require.NoError(t, err)
	for _, i := range file.Imports {
		if strings.Contains(i.Path.Value, ".") {
			require.Contains(t, string(store), i.Path.Value)
		}
	}
}

// silentServer returns the address of a server that accepts connections and never answers.
func silentServer(t *testing.T) (addr string, asked chan struct{}) {
	t.Helper()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { server.Close() })
	asked = make(chan struct{}, 10)
	go func() {
		for {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			if _, err := conn.Read(make([]byte, 1)); err == nil {
				asked <- struct{}{}
			}
			defer conn.Close()
		}
	}()
	return server.Addr().String(), asked
}

// The program is built beside the model, without a file in its folder, and its error is that of the command. A program ends with the
// context of the command, and its files are removed.
func TestProgramOfAModel(t *testing.T) {
	before, err := os.ReadDir(shopFolder)
	require.NoError(t, err)
	r, main := quickstart(t)
	p, err := build(t.Context(), shopFolder, main, codegen.Gocql)
	require.NoError(t, err)
	after, err := os.ReadDir(shopFolder)
	require.NoError(t, err)
	require.True(t, slices.EqualFunc(before, after, func(a, b os.DirEntry) bool { return a.Name() == b.Name() }))

	none := func(program.Event) error { return nil }
	r.Connection = program.Connection{Hosts: []string{"127.0.0.1:1"}, Keyspace: "shop", Timeout: time.Second}
	require.ErrorContains(t, p.run(t.Context(), r.Request, os.Stderr, none), "cannot connect: ")

	addr, asked := silentServer(t)
	r.Connection = program.Connection{Hosts: []string{addr}, Keyspace: "shop", Timeout: time.Hour}
	ctx, end := context.WithCancelCause(t.Context())
	go func() {
		<-asked
		end(errors.New("a signal"))
	}()
	require.EqualError(t, p.run(ctx, r.Request, os.Stderr, none), "a signal")
	p.remove()
	_, err = os.Stat(p.dir)
	require.ErrorIs(t, err, os.ErrNotExist)

	_, err = build(t.Context(), shopFolder, strings.Replace(main, "s.Customers", "s.Clients", 1), codegen.Gocql)
	require.ErrorContains(t, err, "build a program with the model: exit status 1\n")
	require.ErrorContains(t, err, "s.Clients undefined")
	_, err = build(ctx, shopFolder, main, codegen.Gocql)
	require.EqualError(t, err, "a signal")
}
