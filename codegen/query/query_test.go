package query_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/query"
	"github.com/cassaml/cassaml/internal/models"
)

var update = flag.Bool("update", false, "write what is instead of comparing it with what was")

// checked are files of queries with the folders of their models.
var checked = []struct{ queries, dir string }{
	{"../../examples/marketplace/queries.cql", "../../examples/marketplace/shop"},
	{"../../examples/library/queries.cql", "../../examples/library/catalogue"},
	{"testdata/crates.cql", "../../integration/models/stock"},
	{"testdata/auctions.cql", "../../integration/models/auction"},
	{"testdata/bookings.cql", "../../integration/models/hotel"},
	{"testdata/operations.cql", "../../integration/models/trace"},
	{"testdata/references.cql", "../../integration/models/library"},
	{"testdata/photos.cql", "testdata/photos"},
	{"testdata/accounts.cql", "testdata/accounts"},
	{"testdata/tickets.cql", "testdata/tickets"},
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
		c := newChecker(t, p)
		golden(t, filepath.Base(checked[i].dir), printed(c.Check(string(text), query.InFile(filepath.Base(file), string(text)))))
	}
}

func newChecker(t *testing.T, p *model.Package) query.Checker {
	t.Helper()
	m, faults := model.Build(p)
	require.False(t, model.Refused(faults), "%v", faults)
	return query.Checker{Model: m, Schema: schema.New(m)}
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

const module = "github.com/cassaml/cassaml/"

// called are the packages that the calls of answers use.
var called = []string{"context", "time", "math/big", "net", "net/netip", "github.com/gocql/gocql", "gopkg.in/inf.v0", module + "mapper"}

// calls returns a program with the calls of answers, with variables of the types that they name, and the number of calls.
func calls(path, name string, queries []*query.Query) (text []byte, n int) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package calls\n\nimport (\n\t%q\n", path)
	for _, p := range called {
		fmt.Fprintf(&b, "\t%q\n", p)
	}
	b.WriteString(")\n\nvar _ = []any{time.Now, big.NewInt, net.ParseIP, netip.ParseAddr, gocql.ParseUUID, inf.NewDec, mapper.Config{}}\n")
	for i, q := range queries {
		if q.Method == "" {
			continue
		}
		n++
		var variables strings.Builder
		for _, v := range q.Values {
			fmt.Fprintf(&variables, ", %s %s", v.Name, v.Type)
		}
		fmt.Fprintf(&b, "\nfunc call%d(ctx context.Context, s *%s.Store%s) {\n\t%s\n}\n", i, name, variables.String(), q.Method)
	}
	return b.Bytes(), n
}

// Each answer is Go that compiles, with the generated store of its model.
func TestAnswersCompile(t *testing.T) {
	t.Parallel()
	var dirs, stores []string
	for _, c := range checked {
		if path, ok := strings.CutPrefix(c.dir, "../../"); ok {
			dirs, stores = append(dirs, c.dir), append(stores, module+path)
		}
	}
	imports, err := models.Load(".", append(slices.Clone(called), stores...)...)
	require.NoError(t, err)
	loaded := models.Folders(t, dirs...)
	for i, path := range stores {
		text, err := os.ReadFile(checked[i].queries)
		require.NoError(t, err)
		name := loaded[i].Name
		program, n := calls(path, name, newChecker(t, loaded[i]).Check(string(text), query.InFile("", string(text))))
		require.NotZero(t, n)
		require.NoError(t, imports.Add("calls"+name, "calls.go", program), "%s", program)
	}
}

// The answers about the models of testdata compile, too, and so do the aggregates that are offered, with the calls that read them.
func TestOffersCompile(t *testing.T) {
	t.Parallel()
	imports, err := models.Load(".", append(slices.Clone(called), "iter", module+"aml", module+"mapper/driver/gocqldriver", module+"mapper/gen", "github.com/scylladb/gocqlx/v2")...)
	require.NoError(t, err)
	offers := 0
	for _, c := range checked {
		if !strings.HasPrefix(c.dir, "testdata/") {
			continue
		}
		source, err := os.ReadFile(filepath.Join(c.dir, "model.go"))
		require.NoError(t, err)
		text, err := os.ReadFile(c.queries)
		require.NoError(t, err)
		queries := generated(t, imports, c.dir, string(source)).Check(string(text), query.InFile("", string(text)))
		compile(t, imports, c.dir, queries)
		for i, q := range queries {
			if o := q.Offer; o != nil {
				offers++
				path := fmt.Sprint(c.dir, "/", i, "/", filepath.Base(c.dir))
				generated(t, imports, path, string(source)+"\n"+o.Source)
				compile(t, imports, path, []*query.Query{{Method: o.Method, Values: o.Values}})
			}
		}
	}
	require.NotZero(t, offers)
}

// generated adds a package with a model and its store.
func generated(t *testing.T, imports *models.Imports, path, source string) query.Checker {
	t.Helper()
	c := newChecker(t, imports.Source(t, path, source))
	store, faults, err := codegen.Generate(c.Model, c.Schema, codegen.Config{})
	require.NoError(t, err)
	require.Empty(t, faults)
	require.NoError(t, imports.Add(path, "model.go", []byte(source), store))
	return c
}

func compile(t *testing.T, imports *models.Imports, path string, queries []*query.Query) {
	t.Helper()
	program, _ := calls(path, filepath.Base(path), queries)
	require.NoError(t, imports.Add("calls/"+path, "calls.go", program), "%s", program)
}

// IN can have very many markers: each has its own variable, and the work for one does not depend on the number of the others.
func TestManyMarkers(t *testing.T) {
	t.Parallel()
	const n = 20000
	c := newChecker(t, models.Folders(t, "testdata/tickets")[0])
	text := "SELECT at FROM events WHERE room = ? AND moment IN (?" + strings.Repeat(", ?", n-1) + ");\n" +
		"SELECT * FROM passes WHERE id IN (uuid()" + strings.Repeat(", 1", n) + ")"
	queries := c.Check(text, query.InFile("", text))
	require.Len(t, queries[0].Values, 1+n)
	require.Equal(t, query.Variable{Name: fmt.Sprint("moment", n), Type: "gocql.UUID"}, queries[0].Values[n])
	require.Len(t, queries[1].Faults, n)
	require.Equal(t, model.Pos{Line: 2, Col: 43 + 3*(n-1)}, queries[1].Faults[n-1].Pos)
}

// scalar is a Go type of a key, with the option that stores it as a native type.
type scalar struct{ goType, options string }

// scalars returns the Go types of all native types that a key can have.
func scalars() (out []scalar) {
	for _, n := range cqltype.Natives() {
		for _, g := range n.Go {
			switch d := cqltype.Default(g.Text); {
			case n.Unordered:
			case d != nil && d.Name == n.Name:
				out = append(out, scalar{g.Text, ""})
			default:
				out = append(out, scalar{g.Text, ",type=" + n.Name})
			}
		}
	}
	return out
}

// literals are values of CQL: each has a type, is refused for the others, and some have no short form in Go.
var literals = []string{
	"'a'", "'2024-02-29'", "'2024-02-29T12:30:00.5Z'", "'::1'", "'12:00:00'", "0", "010", "-08", "-128", "128", "99999999999", "99999999999999999999", "1.5", "1.", "01.5", "1e39", "1e400",
	"-0", "-0.0", "NaN", "Infinity", "-Infinity", "true", "TRUE", "0x", "0xCAFE", "6f1c2c52-64d1-11f0-9d0b-0242ac120002", "6F1C2C52-64d1-41f0-9d0b-0242ac120002", "1h30m", "null",
	"f()", "now()", "uuid()", "nan()", "a1()", "?", ":s", ":ctx", ":type", ":string", ":values", ":a1", "'\\' || chr(7) || '", "$$it's `$$",
}

// Each value that the checker accepts for a column is Go that compiles, whatever its type and its form are.
func TestValuesCompile(t *testing.T) {
	t.Parallel()
	imports, err := models.Load(".", append(slices.Clone(called), "iter", module+"aml", module+"mapper/driver/gocqldriver", module+"mapper/gen", "github.com/scylladb/gocqlx/v2")...)
	require.NoError(t, err)
	var source, text strings.Builder
	fmt.Fprintf(&source, "package values\n\nimport (\n\t%q\n", module+"aml")
	for _, p := range called[1:7] {
		fmt.Fprintf(&source, "\t%q\n", p)
	}
	source.WriteString(")\n\nvar _ = []any{time.Now, big.NewInt, netip.ParseAddr, gocql.ParseUUID, inf.NewDec, net.ParseIP}\n")
	n := 0
	add := func(goType, options string) {
		n++
		fmt.Fprintf(&source, "\ntype Root%d struct {\n\taml.Aggregate `aml:\"root_%d\"`\n\n\tA %s `aml:\"a,identifier%s\"`\n\tB %s `aml:\"b,discriminator%s\"`\n}\n", n, n, goType, options, goType, options)
		for _, v := range literals {
			fmt.Fprintf(&text, "SELECT * FROM root_%d WHERE a = %s AND b > :a;\nSELECT * FROM root_%d WHERE a = ? AND b IN (?, %s);\n", n, v, n, v)
		}
	}
	for _, s := range scalars() {
		add(s.goType, s.options)
		if !strings.ContainsAny(s.goType, ".*") {
			fmt.Fprintf(&source, "\ntype Declared%d %s\n", n, s.goType)
			add(fmt.Sprint("Declared", n), s.options)
		}
	}
	queries := generated(t, imports, "values", source.String()).Check(text.String(), query.InFile("", text.String()))
	answers := 0
	for _, q := range queries {
		require.NotEqual(t, q.Method == "", len(q.Faults) == 0, "%s", q.Text)
		if q.Method != "" {
			answers++
		}
	}
	require.Greater(t, answers, 10*n)
	compile(t, imports, "values", queries)
}

// withoutLiteral are the Go types whose values have no short form in Go.
var withoutLiteral = []scalar{{"time.Duration", ",type=time"}, {"time.Time", ",type=time"}}

// Each Go type has a literal of CQL that is an expression in a call, instead of a variable.
func TestEveryGoTypeHasALiteral(t *testing.T) {
	t.Parallel()
	imports, err := models.Load(".", append(slices.Clone(called), module+"aml")...)
	require.NoError(t, err)
	for i, s := range scalars() {
		pkg, _, _ := strings.Cut(strings.TrimPrefix(s.goType, "*"), ".")
		source := "package values\n\nimport \"" + module + "aml\"\n"
		for _, path := range called {
			if filepath.Base(path) == pkg || pkg == "inf" && strings.HasPrefix(path, "gopkg.in/inf") {
				source += fmt.Sprintf("import %q\n", path)
			}
		}
		source += "\ntype Row struct {\n\taml.Aggregate\n\n\tID " + s.goType + " `aml:\",identifier" + s.options + "\"`\n}\n"
		c := newChecker(t, imports.Source(t, fmt.Sprint("values", i), source))
		short := slices.ContainsFunc(literals, func(literal string) bool {
			text := "SELECT * FROM row WHERE id = " + literal
			q := c.Check(text, query.InFile("", text))[0]
			return q.Method != "" && len(q.Values) == 0
		})
		require.NotEqual(t, slices.Contains(withoutLiteral, s), short, "%s%s", s.goType, s.options)
	}
}
