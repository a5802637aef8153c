package query_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query"
	"github.com/cassaml/cassaml/internal/models"
)

var update = flag.Bool("update", false, "write what is instead of comparing it with what was")

// checked are files of queries with the folders of their models.
var checked = []struct{ queries, dir string }{
	{"../../examples/marketplace/queries.cql", "../../examples/marketplace/shop"},
	{"../../examples/library/queries.cql", "../../examples/library/catalogue"},
	{"testdata/crates.cql", "../../integration/stockmodel"},
	{"testdata/auctions.cql", "../../integration/auctionmodel"},
	{"testdata/bookings.cql", "../../integration/hotelmodel"},
	{"testdata/photos.cql", "testdata/photos"},
	{"testdata/accounts.cql", "testdata/accounts"},
}

// Each query has the answer of its golden file.
func TestAnswers(t *testing.T) {
	t.Parallel()
	var dirs []string
	for _, c := range checked {
		dirs = append(dirs, c.dir)
	}
	for i, p := range models.Folders(t, dirs...) {
		file := checked[i].queries
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		c := checkerOf(t, p)
		golden(t, filepath.Base(checked[i].dir), printed(c.Check(string(text), query.InFile(filepath.Base(file), string(text)))))
	}
}

func checkerOf(t *testing.T, p *model.Package) query.Checker {
	t.Helper()
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), "%v", faults)
	return query.Checker{Model: m, Schema: schema.Of(m)}
}

// printed returns the answers as text, with the queries.
func printed(queries []*query.Query) string {
	var b strings.Builder
	for _, q := range queries {
		fmt.Fprintf(&b, "%s: %s\n", q.Pos, q.Text)
		if q.Method != "" {
			fmt.Fprintf(&b, "\t%s\n", q.Method)
		}
		for _, v := range q.Values {
			fmt.Fprintf(&b, "\t// %s %s\n", v.Name, v.Type)
		}
		for _, n := range q.Notes {
			fmt.Fprintf(&b, "\t// %s\n", n)
		}
		for _, f := range q.Faults {
			fmt.Fprintf(&b, "\t%s\n", f)
		}
		if o := q.Offer; o != nil {
			b.WriteString(o.Source)
			for _, n := range o.Notes {
				fmt.Fprintf(&b, "// %s\n", n)
			}
			for _, w := range o.Warnings {
				fmt.Fprintf(&b, "// %s: %s\n", w.Rule.Code, w.What)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".answers")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "%s; go test -update writes it", file)
}

// Each answer is Go that compiles, with the generated store of its model and variables of the types that it names.
func TestAnswersCompile(t *testing.T) {
	t.Parallel()
	const module = "github.com/cassaml/cassaml/"
	packages := []string{"context", "time", "math/big", "net/netip", "github.com/gocql/gocql", "gopkg.in/inf.v0", module + "mapper"}
	var dirs, stores []string
	for _, c := range checked {
		dirs = append(dirs, c.dir)
		if path, ok := strings.CutPrefix(c.dir, "../../"); ok { // photos has no generated store
			stores = append(stores, module+path)
		}
	}
	imports, err := models.Load(".", append(packages, stores...)...)
	require.NoError(t, err)
	loaded := models.Folders(t, dirs...)
	for i, path := range stores {
		text, err := os.ReadFile(checked[i].queries)
		require.NoError(t, err)
		name := loaded[i].Name
		var b strings.Builder
		fmt.Fprintf(&b, "package calls\n\nimport (\n\t%q\n", path)
		for _, p := range packages {
			fmt.Fprintf(&b, "\t%q\n", p)
		}
		b.WriteString(")\n\nvar _ = []any{time.Now, big.NewInt, netip.ParseAddr, gocql.ParseUUID, inf.NewDec, mapper.Config{}}\n")
		calls := 0
		for n, q := range checkerOf(t, loaded[i]).Check(string(text), query.InFile("", string(text))) {
			if q.Method == "" {
				continue
			}
			calls++
			var variables strings.Builder
			for _, v := range q.Values {
				fmt.Fprintf(&variables, ", %s %s", v.Name, v.Type)
			}
			fmt.Fprintf(&b, "\nfunc call%d(ctx context.Context, s *%s.Store%s) {\n\t%s\n}\n", n, name, variables.String(), q.Method)
		}
		require.NotZero(t, calls)
		require.NoError(t, imports.Add("calls"+name, "calls.go", []byte(b.String())), "%s", b.String())
	}
}
