package diff_test

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/migrate/diff"
)

// libraries returns the packages that models and functions of migrations import, loaded once.
var libraries = sync.OnceValue(func() *models.Imports {
	known, err := models.Load(".", append([]string{"github.com/cassaml/cassaml/migrate/copydata", "github.com/cassaml/cassaml/mapper/driver", "github.com/cassaml/cassaml/mapper/driver/gocqldriver", "context", "net"}, slices.Collect(maps.Values(imported))...)...)
	if err != nil {
		panic(err)
	}
	return known
})

// imported are the packages that the models of these tests import.
var imported = map[string]string{
	"aml.": "github.com/cassaml/cassaml/aml", "gocql.": "github.com/gocql/gocql", "time.": "time", "big.": "math/big",
	"inf.": "gopkg.in/inf.v0", "netip.": "net/netip",
}

// declared returns the schema of structs, whose package clause and import are line 1.
func declared(t *testing.T, structs string) *schema.Schema {
	t.Helper()
	text := "package shop; import ("
	for name, path := range imported {
		if strings.Contains(structs, name) {
			text += strconv.Quote(path) + "; "
		}
	}
	m, faults := model.Build(libraries().Source(t, "example.com/shop", text+")\n"+structs))
	require.False(t, model.Refused(faults), "%v", faults)
	return schema.New(m)
}

// planned returns the steps from one model to the next, one per line, without comments.
func planned(t *testing.T, from, to string) string {
	t.Helper()
	plan, err := diff.Diff(after(t, declared(t, from).Statements()), declared(t, to))
	require.NoError(t, err)
	return formatSteps(plan)
}

// formatSteps returns the steps of a plan, one per line, without comments.
func formatSteps(plan *diff.Plan) string {
	var lines []string
	for _, s := range plan.Steps {
		s.Comment = ""
		lines = append(lines, strings.Join(strings.Fields(s.String()), " "))
	}
	return strings.Join(lines, "\n")
}

const root = "type Customer struct { aml.Aggregate `aml:\"customers\"`\n ID int32 `aml:\"id,identifier\"`\n%s}\n"

func customer(fields string) string { return strings.Replace(root, "%s", fields, 1) }

// Each case of an archive has two models and the steps from one to the other.
func TestPlans(t *testing.T) {
	for _, c := range cases(t, "testdata/plans.txtar") {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, planned(t, c.from, c.to)) })
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range cases(t, "testdata/refusals.txtar") {
		t.Run(c.name, func(t *testing.T) {
			_, err := diff.Diff(after(t, declared(t, c.from).Statements()), declared(t, c.to))
			require.ErrorIs(t, err, diff.ErrRefused)
			require.EqualError(t, err, c.want)
		})
	}
}

type planCase struct{ name, from, to, want string }

// cases reads an archive: NAME/from.go and NAME/to.go have the structs of two models, and the third file of a case has the expected output.
func cases(t *testing.T, name string) (out []planCase) {
	t.Helper()
	a, err := txtar.ParseFile(name)
	require.NoError(t, err)
	require.NotEmpty(t, a.Files)
	for files := range slices.Chunk(a.Files, 3) {
		c := planCase{path.Dir(files[0].Name), string(files[0].Data), string(files[1].Data), strings.TrimSpace(string(files[2].Data))}
		require.Equal(t, c.name+"/from.go", files[0].Name)
		require.Equal(t, c.name+"/to.go", files[1].Name)
		out = append(out, c)
	}
	return out
}

func visit(fields string) string {
	return "type Visit struct { aml.Aggregate `aml:\"visits\"`\n Shop string `aml:\"shop,identifier\"`\n" + fields + "}\n"
}

func byName(fields string) string {
	return "type ByName struct { aml.Aggregate `aml:\"by_name,redundant=Customer\"`\nName string `aml:\",identifier\"`\nID int32 `aml:\",discriminator\"`\n" + fields + "}\n"
}

// The tag in a refusal of counters results in a plan without changes to it, in both directions.
func TestCountersMoveToANewTable(t *testing.T) {
	const counted, plain = "N int64 `aml:\"n,counter\"`\n", "N int64 `aml:\"n\"`\n"
	for _, way := range [][2]string{{counted, plain}, {plain, counted}} {
		from := declared(t, customer(way[0]))
		_, err := diff.Diff(after(t, from.Statements()), declared(t, customer(way[1])))
		require.ErrorIs(t, err, diff.ErrRefused)
		_, tag, found := strings.Cut(err.Error(), "write `aml:\"")
		require.True(t, found, err)
		tag, _, _ = strings.Cut(tag, "\"`")
		followed := strings.Replace(customer(way[1]), "customers", tag, 1)
		plan, err := diff.Diff(after(t, from.Statements()), declared(t, followed))
		require.NoError(t, err)
		require.Contains(t, plan.Steps[0].Change.String(), "CREATE TABLE IF NOT EXISTS customers_2 (")
		require.Equal(t, diff.CallFunc{Name: "copy_customers_to_customers_2"}, plan.Steps[1].Change)
		final := strings.Replace(customer(way[1]), "customers", "customers_2", 1)
		plan, err = diff.Diff(after(t, from.Statements(), declared(t, followed).Statements()), declared(t, final))
		require.NoError(t, err)
		require.Len(t, plan.Steps, 1)
		require.Equal(t, "DROP TABLE customers", plan.Steps[0].Change.String())
	}
}

// An index that -- aml:manual keeps, and a column that would be filled with older values, are refused. Functions have unique names.
func TestRefusalsThatTheServerDoesNotReport(t *testing.T) {
	plain := declared(t, customer("Name string\n")).Statements()
	_, err := diff.Diff(after(t, plain, []string{"-- aml:manual mine\nCREATE INDEX mine ON customers (name) USING 'sai'"}), declared(t, customer("Name string `aml:\",index\"`\n")))
	require.ErrorContains(t, err, "MIG012: index customers__name_index of customers is equal to index mine, which -- aml:manual keeps")

	with := customer("Name string\nAge int32\n") + byName("Age int32\n")
	without := customer("Name string\nAge int32\n") + byName("")
	_, err = diff.Diff(after(t, declared(t, with).Statements(), []string{"ALTER TABLE by_name DROP age"}), declared(t, with))
	require.ErrorContains(t, err, "MIG004: column age of by_name was dropped earlier: the values that would be copied to it are older than the drop and read as null; use a name that no column of the table had before")
	_, err = diff.Diff(after(t, declared(t, without).Statements()), declared(t, with))
	require.NoError(t, err)

	plan, err := diff.Diff(after(t, declared(t, customer("A string `aml:\"'a-b'\"`\nB string `aml:\"a_b\"`\n")).Statements()),
		declared(t, customer("A string `aml:\"n,was=a-b\"`\nB string `aml:\"'n-',was=a_b\"`\n")))
	require.NoError(t, err)
	require.Len(t, plan.Funcs, 2)
	require.NotEqual(t, plan.Funcs[0].Name, plan.Funcs[1].Name)
	require.NotEqual(t, plan.Funcs[0].GoName(), plan.Funcs[1].GoName())
}

func TestDroppedColumnsAreAddedWithTheirTypes(t *testing.T) {
	gone := after(t, declared(t, customer("Name string\nWho Who `aml:\"who,composition,final\"`\n")+"type Who struct { N int32 }\n").Statements(),
		[]string{"ALTER TABLE customers DROP name", "ALTER TABLE customers DROP who"})
	plan, err := diff.Diff(gone, declared(t, customer("Name string\n")))
	require.NoError(t, err)
	require.Equal(t, "ALTER TABLE customers ADD name text", plan.Steps[0].Change.String())
	_, err = diff.Diff(gone, declared(t, customer("Name int32\nWho Who `aml:\"who,composition,final\"`\n")+"type Who struct { N int32 }\n"))
	require.EqualError(t, err, "model.go:4:1: MIG004: column name of customers was dropped as text, and cannot be added again with another type; use a name that no column of the table had before\n"+
		"model.go:5:1: MIG004: column who of customers was dropped as frozen<who>, and a column with a user-defined type cannot be added again; use a name that no column of the table had before")

	gone = after(t, declared(t, visit("Day int32 `aml:\"day,discriminator\"`\nNote string `aml:\"note,static\"`\n")).Statements(), []string{"ALTER TABLE visits DROP note"})
	_, err = diff.Diff(gone, declared(t, visit("Day int32 `aml:\"day,discriminator\"`\nNote string `aml:\"note\"`\n")))
	require.ErrorContains(t, err, "column note of visits was dropped, and cannot change between static and regular")
}

func TestNewTableHasAFreeName(t *testing.T) {
	two := strings.Replace(visit(""), "visits", "visits_2", 1)
	_, err := diff.Diff(after(t, declared(t, two).Statements(), []string{"CREATE TABLE visits_3 (id int PRIMARY KEY)"}), declared(t, strings.Replace(two, "Shop string", "Shop int32", 1)))
	require.ErrorContains(t, err, "`aml:\"visits_4,was=visits_2\"`")
}

// A collection without frozen in a type is equal to the model's, unless a column of the model holds the type without frozen.
func TestTypesOfOtherTools(t *testing.T) {
	held := func(final string) string {
		return customer("Home Home `aml:\"home,composition"+final+"\"`\n") + "type Home struct { Street string; Phones []string }\n"
	}
	plan, err := diff.Diff(after(t, []string{"CREATE TYPE home (street text, phones list<text>)", "CREATE TABLE customers (id int PRIMARY KEY, home frozen<home>)"}),
		declared(t, held(",final")))
	require.NoError(t, err)
	require.Empty(t, plan.Steps)

	_, err = diff.Diff(after(t, []string{"CREATE TYPE home (street text)", "CREATE TABLE customers (id int PRIMARY KEY, home home)", "ALTER TYPE home ADD phones list<text>"}),
		declared(t, held("")))
	require.ErrorContains(t, err, "MIG008: field phones of type home is list<text> and cannot become frozen<list<text>>; a model does not support columns that store this Home without frozen")
	_, err = diff.Diff(after(t, []string{"CREATE TYPE home (street text, phones set<text>)", "CREATE TABLE customers (id int PRIMARY KEY, home frozen<home>)"}),
		declared(t, held(",final")))
	require.ErrorContains(t, err, "MIG008: field phones of type home is set<text> and cannot become frozen<list<text>>; keep phones unchanged")
}

func TestHints(t *testing.T) {
	hints := func(from, to string) (out []string) {
		plan, err := diff.Diff(after(t, declared(t, from).Statements()), declared(t, to))
		require.NoError(t, err)
		for _, h := range plan.Hints {
			out = append(out, h.String())
		}
		return out
	}
	require.Equal(t, []string{"model.go:4:1: name of customers is dropped, and full_name is new and has the same type; if the column was renamed, write was=name"},
		hints(customer("Name string\nAge int32\n"), customer("FullName string\n")))
	require.Equal(t, []string{"model.go:2:44: customers is dropped, and clients is new and has the same columns; if the table was renamed, write was=customers"},
		hints(customer("Name string\n"), strings.Replace(customer("Name string\n"), "customers", "clients", 1)))
	require.Equal(t, []string{"model.go:2:54: table clients no longer exists; remove was=clients", "model.go:4:16: column x no longer exists; remove was=x"},
		hints(customer("Y int32\n"), strings.Replace(customer("Y int32 `aml:\",was=x\"`\n"), "customers", "customers,was=clients", 1)))
	require.Equal(t, []string{"model.go:4:1: n of customers is dropped, and nnn is new and has the same type; if the column was renamed, write was=n", "model.go:4:19: column m no longer exists; remove was=m"},
		hints(customer("N int32 `aml:\"n\"`\n"), customer("N int32 `aml:\"nnn,was=m\"`\n")), "a wrong was= hides no other hint")
	require.Equal(t, []string{"model.go:2:44: customers is dropped, and clients is new and has the same columns; if the table was renamed, write was=customers", "model.go:2:52: table custumers no longer exists; remove was=custumers"},
		hints(customer(""), strings.Replace(customer(""), "customers", "clients,was=custumers", 1)))
	require.Empty(t, hints(customer("Name string\n"), customer("Name string\nAge int32\n")))
	require.Empty(t, hints(customer("Name string\n"), customer("Age int32\n")))
}
