package diff_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/migrate/diff"
)

// libraries returns what models and functions of migrations import, loaded once.
var libraries = sync.OnceValue(func() *models.Imports {
	known, err := models.Load(".", append([]string{"github.com/cassaml/cassaml/migrate/copydata", "github.com/scylladb/gocqlx/v2", "context", "net"}, slices.Collect(maps.Values(imported))...)...)
	if err != nil {
		panic(err)
	}
	return known
})

// imported are the packages that models name in these tests.
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
	return schema.Of(m)
}

// planned returns the steps from one model to the next, one a line, without comments.
func planned(t *testing.T, from, to string) string {
	t.Helper()
	plan, err := diff.Diff(after(t, declared(t, from).Statements()), declared(t, to))
	require.NoError(t, err)
	return stepsOf(plan)
}

// stepsOf returns the steps of a plan, one a line, without comments.
func stepsOf(plan *diff.Plan) string {
	var lines []string
	for _, s := range plan.Steps {
		s.Comment = ""
		lines = append(lines, strings.Join(strings.Fields(s.String()), " "))
	}
	return strings.Join(lines, "\n")
}

const root = "type Customer struct { aml.Aggregate `aml:\"customers\"`\n ID int32 `aml:\"id,identifier\"`\n%s}\n"

func customer(fields string) string { return strings.Replace(root, "%s", fields, 1) }

func TestPlans(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"nothing", customer(""), customer(""), ""},
		{"a column", customer(""), customer("Name string\n"), "ALTER TABLE customers ADD name text"},
		{"a static column", visit("At int64 `aml:\"at,discriminator\"`\n"), visit("At int64 `aml:\"at,discriminator\"`\nNote string `aml:\"note,static\"`\n"),
			"ALTER TABLE visits ADD note text STATIC"},
		{"a key's name", visit("At int64 `aml:\"at,discriminator\"`\n"), visit("At int64 `aml:\"seen_at,discriminator,was=at\"`\n"), "ALTER TABLE visits RENAME at TO seen_at"},
		{"names of a key that follow each other", visit("A int64 `aml:\"a,discriminator\"`\nB int64 `aml:\"b,discriminator\"`\n"),
			visit("A int64 `aml:\"b,discriminator,was=a\"`\nB int64 `aml:\"c,discriminator,was=b\"`\n"),
			"ALTER TABLE visits RENAME b TO c\nALTER TABLE visits RENAME a TO b"},
		{"an indexed key's name", visit("At int64 `aml:\"at,discriminator,index\"`\n"), visit("At int64 `aml:\"seen_at,discriminator,index,was=at\"`\n"),
			"DROP INDEX visits__at_index\nALTER TABLE visits RENAME at TO seen_at\nCREATE INDEX IF NOT EXISTS visits__seen_at_index ON visits (seen_at) USING 'sai'"},
		{"an indexed column goes", customer("Name string `aml:\"name,index\"`\n"), customer(""), "DROP INDEX customers__name_index\nALTER TABLE customers DROP name"},
		{"an index stays with its earlier column", customer("Score int32 `aml:\"score,index\"`\n"), customer("Score int64 `aml:\"score2,index,was=score\"`\n"),
			"ALTER TABLE customers ADD score2 bigint\nCREATE INDEX IF NOT EXISTS customers__score2_index ON customers (score2) USING 'sai'\n" +
				"-- aml:func copy_customers_score_to_score2"},
		{"an index stays that the new column has not", customer("Score int32 `aml:\"score,index\"`\n"), customer("Score int64 `aml:\"score2,was=score\"`\n"),
			"ALTER TABLE customers ADD score2 bigint\n-- aml:func copy_customers_score_to_score2"},
		{"another option of an index", customer("Name string `aml:\"name,index\"`\n"), customer("Name string `aml:\"name,index='case_sensitive=false'\"`\n"),
			"DROP INDEX customers__name_index\nCREATE INDEX IF NOT EXISTS customers__name_index ON customers (name) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false'}"},
		{"a field at the end", part("A int32\n"), part("A int32\nB string\n"), "ALTER TYPE part ADD b text"},
		{"fewer fields", part("A int32\nB string\n"), part("A int32\n"), ""},
		{"a field's name", part("A int32\nB string\n"), part("A int32\nC string `aml:\",was=b\"`\n"), "ALTER TYPE part RENAME b TO c"},
		{"names of fields that follow each other", part("A int32\nB int32\n"), part("X int32 `aml:\"b,was=a\"`\nY int32 `aml:\"c,was=b\"`\n"),
			"ALTER TYPE part RENAME b TO c\nALTER TYPE part RENAME a TO b"},
		{"a field that needs a new type", part("A int32\n"), part("A int32\nG Geo `aml:\",composition\"`\n") + "type Geo struct { Lat float64 }\n",
			"CREATE TYPE IF NOT EXISTS geo ( lat double )\nALTER TYPE part ADD g frozen<geo>"},
		{"a type that a field keeps", part("A int32\nG Geo `aml:\",composition\"`\n") + "type Geo struct { Lat float64 }\n", part("A int32\n"), ""},
		{"a table and its types", part("A int32\nG Geo `aml:\",composition\"`\n") + "type Geo struct { Lat float64 }\n" + visit(""), visit(""),
			"DROP TABLE customers\nDROP TYPE part\nDROP TYPE geo"},
		{"a column's name", customer("Name string\n"), customer("FullName string `aml:\",was=name\"`\n"),
			"ALTER TABLE customers ADD full_name text\n-- aml:func copy_customers_name_to_full_name"},
		{"a table's name", customer("Name string\n"), strings.Replace(customer("Name string\n"), "customers", "clients,was=customers", 1),
			"CREATE TABLE IF NOT EXISTS clients ( id int PRIMARY KEY, name text )\n-- aml:func copy_customers_to_clients"},
		{"a table's name, a long time after", strings.Replace(customer(""), "customers", "clients", 1), strings.Replace(customer(""), "customers", "clients,was=customers", 1), ""},
		{"a redundant table of what is stored", customer("Name string\n"), customer("Name string\n") + byName(""),
			"CREATE TABLE IF NOT EXISTS by_name ( name text, id int, PRIMARY KEY (name, id) )\n-- aml:backfill by_name"},
		{"a redundant table of what is new", visit(""), visit("") + customer("Name string\n") + byName(""),
			"CREATE TABLE IF NOT EXISTS customers ( id int PRIMARY KEY, name text )\nCREATE TABLE IF NOT EXISTS by_name ( name text, id int, PRIMARY KEY (name, id) )"},
		{"a column of a redundant table", customer("Name string\nAge int32\n") + byName(""), customer("Name string\nAge int32\n") + byName("Age int32\n"),
			"ALTER TABLE by_name ADD age int\n-- aml:backfill by_name"},
		{"a field that copies are made of", customer("Name string\nAge int32\n") + byName("Who Who `aml:\"who,composition,from=Customer\"`\n") + "type Who struct { ID int32 }\n",
			customer("Name string\nAge int32\n") + byName("Who Who `aml:\"who,composition,from=Customer\"`\n") + "type Who struct { ID int32; Age int32 }\n",
			"ALTER TYPE who ADD age int\n-- aml:backfill by_name"},
		{"properties", strings.Replace(customer(""), "customers", "customers,comment=x,gc_grace=86400", 1),
			strings.Replace(customer(""), "customers", "customers,comment=x,with='cdc = true AND caching = {''keys'': ''NONE'', ''rows_per_partition'': ''NONE''}'", 1),
			"ALTER TABLE customers WITH caching = {'keys': 'NONE', 'rows_per_partition': 'NONE'} AND cdc = true AND gc_grace_seconds = 864000"},
		{"a reservation table", customer("Version int64 `aml:\"version,version\"`\nEmail string\n"), customer("Version int64 `aml:\"version,version\"`\nEmail string `aml:\"email,unique\"`\n"),
			"CREATE TABLE IF NOT EXISTS customers__email_unique ( email text PRIMARY KEY, aml_owner_id int, aml_at bigint, aml_floor bigint )\n-- aml:func fill_customers__email_unique"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, planned(t, c.from, c.to)) })
	}
}

func visit(fields string) string {
	return "type Visit struct { aml.Aggregate `aml:\"visits\"`\n Shop string `aml:\"shop,identifier\"`\n" + fields + "}\n"
}

func part(fields string) string {
	return customer("Parts []Part `aml:\"parts,composition\"`\n") + "type Part struct {\n" + fields + "}\n"
}

func byName(fields string) string {
	return "type ByName struct { aml.Aggregate `aml:\"by_name,redundant=Customer\"`\nName string `aml:\",identifier\"`\nID int32 `aml:\",discriminator\"`\n" + fields + "}\n"
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"another type of the key", visit(""), strings.Replace(visit(""), "Shop string", "Shop int32", 1),
			"model.go:3:2: MIG001: the primary key of visits is (shop text) and cannot become (shop int); make a new table: write `aml:\"visits_2,was=visits\"` on the marker of Visit"},
		{"another name of the key without was=", visit(""), strings.Replace(visit(""), "shop,", "place,", 1),
			"model.go:3:2: MIG001: the primary key of visits is (shop text) and cannot become (place text); if it is shop under another name, write was=shop in its tag; else make a new table: write `aml:\"visits_2,was=visits\"` on the marker of Visit"},
		{"another column of the key", visit(""), visit("At int64 `aml:\"at,discriminator,desc\"`\n"), "is (shop text) and cannot become (shop text, at bigint DESC)"},
		{"another type", customer("Age string\n"), customer("Age int32 `aml:\"age,index\"`\n"),
			"model.go:4:1: MIG002: column age of customers is text and cannot become int; make a new column: write `aml:\"age_2,index,was=age\"`"},
		{"another kind", visit("At int64 `aml:\"at,discriminator\"`\nN string `aml:\"n,static\"`\n"), visit("At int64 `aml:\"at,discriminator\"`\nN string `aml:\"n\"`\n"),
			"model.go:5:1: MIG003: column n of visits is static and cannot become of a row; make a new table"},
		{"no drop", customer("W Spot `aml:\"w,composition\"`\n") + "type Spot struct { N int32 }\n", customer(""),
			"MIG005: column w of customers is spot, which is not frozen, and cannot be dropped; put the field of w back; or make a new table"},
		{"counters", customer("N int64\n"), customer("N int64 `aml:\"n,counter\"`\n"), "model.go:4:1: MIG006: column n of customers is bigint and cannot become counter: a table has counters alone, or none; make a new table: write `aml:\"customers_2,was=customers\"` on the marker of Customer"},
		{"no counters any more", customer("N int64 `aml:\"n,counter\"`\n"), customer("N int64\n"),
			"model.go:4:1: MIG006: column n of customers is counter and cannot become bigint: a table has counters alone, or none; make a new table: write `aml:\"customers_2,was=customers\"` on the marker of Customer"},
		{"counters beside", customer(""), customer("N int64 `aml:\"n,counter\"`\n"), "model.go:4:1: MIG006: column n of customers is counter: a table has counters alone, or none; make a new table"},
		{"a field between", part("A int32\nB int32\n"), part("A int32\nNew int32\nB int32\n"),
			"model.go:8:1: MIG007: field new of type part is new, and a new field comes behind all others; move New to the end of Part, behind B"},
		{"a field that goes", part("A int32\nB int32\n"), part("B int32\n"),
			"model.go:7:1: MIG007: field a of type part cannot be dropped, and stands where b is now: values are stored by place; put a field a of type int back before B; or if it is B under another name, write was=a in its tag"},
		{"a field that moves", part("A int32\nB int32\n"), part("B int32\nA int32\n"),
			"model.go:7:1: MIG007: field b of type part is not in its place: a stands there, and values are stored by place; put B back behind A"},
		{"a field after one that is gone", part("A int32\nB int32\n"), part("A int32\nC int32\n"), "put a field b of type int back before C; or if it is C under another name, write was=b in its tag"},
		{"another type of a field", part("A int32\n"), part("A string\n"),
			"model.go:7:1: MIG008: field a of type part is int and cannot become text; keep a as it is, and add a field of another name at the end of Part"},
		{"a type in a partition key", keyed("A int32\n"), keyed("A int32\nB int32\n"), "model.go:8:1: MIG009: type part can have no further field: column at of the partition key of visits holds it; give Part another name in its tag, so that it is a new type; make a new table: write `aml:\"visits_2,was=visits\"` on the marker of Visit"},
		{"a type's name", part("A int32\n"), strings.Replace(part("A int32\n"), "type Part struct {\n", "type Part struct { aml.ValueObject `aml:\"piece,was=part\"`\n", 1),
			"model.go:6:42: MIG010: type part cannot be named piece: column parts of customers holds it; name it part again"},
		{"names that change places", visit("A int64 `aml:\"a,discriminator\"`\nB int64 `aml:\"b,discriminator\"`\n"),
			visit("A int64 `aml:\"b,discriminator,was=a\"`\nB int64 `aml:\"a,discriminator,was=b\"`\n"), "MIG011: columns of the primary key of visits take names that the table has"},
		{"columns that change places", customer("A string `aml:\"a\"`\nB string `aml:\"b\"`\n"), customer("A string `aml:\"b,was=a\"`\nB string `aml:\"a,was=b\"`\n"),
			"model.go:4:1: MIG011: column b of customers has the values that was=b gives to another; give the new names in two steps"},
		{"columns that shift", customer("A string `aml:\"a\"`\nB string `aml:\"b\"`\n"), customer("A string `aml:\"b,was=a\"`\nB string `aml:\"c,was=b\"`\n"),
			"model.go:4:1: MIG011: column b of customers has the values that was=b gives to another"},
		{"tables that change places", two("`aml:\"t\"`", "`aml:\"u\"`"), two("`aml:\"u,was=t\"`", "`aml:\"t,was=u\"`"), "MIG011: u has the rows that was=u gives to t; "},
		{"tables that shift", two("`aml:\"t\"`", "`aml:\"u\"`"), two("`aml:\"u,was=t\"`", "`aml:\"v,was=u\"`"), "MIG011: u has the rows that was=u gives to v; "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := diff.Diff(after(t, declared(t, c.from).Statements()), declared(t, c.to))
			require.ErrorIs(t, err, diff.ErrRefused)
			require.Contains(t, err.Error(), c.want)
		})
	}
}

// The tag that a refusal of counters names leads to a plan as it stands, there and back.
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
		require.Contains(t, plan.Steps[0].CQL, "CREATE TABLE IF NOT EXISTS customers_2 (")
		require.Equal(t, "func copy_customers_to_customers_2", plan.Steps[1].Directive)
		settled := strings.Replace(customer(way[1]), "customers", "customers_2", 1)
		plan, err = diff.Diff(after(t, from.Statements(), declared(t, followed).Statements()), declared(t, settled))
		require.NoError(t, err)
		require.Len(t, plan.Steps, 1)
		require.Equal(t, "DROP TABLE customers", plan.Steps[0].CQL)
	}
}

func two(first, second string) string {
	return "type T struct { aml.Aggregate " + first + "\nID int32 `aml:\",identifier\"` }\ntype U struct { aml.Aggregate " + second + "\nID int32 `aml:\",identifier\"` }\n"
}

// What only -- aml:manual keeps, and what older writes could not fill, is refused, too; functions have a name each.
func TestWhatTheServerWouldTakeInSilence(t *testing.T) {
	plain := declared(t, customer("Name string\n")).Statements()
	_, err := diff.Diff(after(t, plain, []string{"-- aml:manual mine\nCREATE INDEX mine ON customers (name) USING 'sai'"}), declared(t, customer("Name string `aml:\",index\"`\n")))
	require.ErrorContains(t, err, "MIG012: index customers__name_index of customers would be what mine is already, which -- aml:manual keeps")

	with := customer("Name string\nAge int32\n") + byName("Age int32\n")
	without := customer("Name string\nAge int32\n") + byName("")
	_, err = diff.Diff(after(t, declared(t, with).Statements(), []string{"ALTER TABLE by_name DROP age"}), declared(t, with))
	require.ErrorContains(t, err, "MIG004: column age of by_name was dropped before: what it would be filled with is older than that, and reads null; give the column a name that it never had")
	_, err = diff.Diff(after(t, declared(t, without).Statements()), declared(t, with))
	require.NoError(t, err)

	plan, err := diff.Diff(after(t, declared(t, customer("A string `aml:\"'a-b'\"`\nB string `aml:\"a_b\"`\n")).Statements()),
		declared(t, customer("A string `aml:\"n,was=a-b\"`\nB string `aml:\"'n-',was=a_b\"`\n")))
	require.NoError(t, err)
	require.Len(t, plan.Funcs, 2)
	require.NotEqual(t, plan.Funcs[0].Name, plan.Funcs[1].Name)
	require.NotEqual(t, plan.Funcs[0].GoName(), plan.Funcs[1].GoName())
}

func keyed(fields string) string {
	return visit("At Part `aml:\"at,identifier,composition,final\"`\n") + "type Part struct {\n" + fields + "}\n"
}

func TestDroppedColumnsComeBackAsTheyWere(t *testing.T) {
	gone := after(t, declared(t, customer("Name string\nWho Who `aml:\"who,composition,final\"`\n")+"type Who struct { N int32 }\n").Statements(),
		[]string{"ALTER TABLE customers DROP name", "ALTER TABLE customers DROP who"})
	plan, err := diff.Diff(gone, declared(t, customer("Name string\n")))
	require.NoError(t, err)
	require.Equal(t, "ALTER TABLE customers ADD name text", plan.Steps[0].CQL)
	_, err = diff.Diff(gone, declared(t, customer("Name int32\nWho Who `aml:\"who,composition,final\"`\n")+"type Who struct { N int32 }\n"))
	require.EqualError(t, err, "model.go:4:1: MIG004: column name of customers was dropped as text, and comes back as nothing else; give the column a name that it never had\n"+
		"model.go:5:1: MIG004: column who of customers was dropped as frozen<who>, and no column with a user-defined type in it comes back; give the column a name that it never had")
}

func TestAnotherNewNameIsFree(t *testing.T) {
	two := strings.Replace(visit(""), "visits", "visits_2", 1)
	_, err := diff.Diff(after(t, declared(t, two).Statements(), []string{"CREATE TABLE visits_3 (id int PRIMARY KEY)"}), declared(t, strings.Replace(two, "Shop string", "Shop int32", 1)))
	require.ErrorContains(t, err, "`aml:\"visits_4,was=visits_2\"`")
}

// A collection that a type does not freeze is what the model says, as long as no column of the model holds the type field by
// field.
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
	require.ErrorContains(t, err, "MIG008: field phones of type home is list<text> and cannot become frozen<list<text>>; what holds Home field by field is not for a model")
	_, err = diff.Diff(after(t, []string{"CREATE TYPE home (street text, phones set<text>)", "CREATE TABLE customers (id int PRIMARY KEY, home frozen<home>)"}),
		declared(t, held(",final")))
	require.ErrorContains(t, err, "MIG008: field phones of type home is set<text> and cannot become frozen<list<text>>; keep phones as it is")
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
	require.Equal(t, []string{"model.go:4:1: name of customers is dropped, and full_name is new and like it; if that is one column under another name, write was=name"},
		hints(customer("Name string\nAge int32\n"), customer("FullName string\n")))
	require.Equal(t, []string{"model.go:2:44: customers is dropped, and clients is new and like it; if that is one table under another name, write was=customers"},
		hints(customer("Name string\n"), strings.Replace(customer("Name string\n"), "customers", "clients", 1)))
	require.Equal(t, []string{"model.go:2:54: there is no table clients any more; take was=clients off", "model.go:4:16: there is no column x any more; take was=x off"},
		hints(customer("Y int32\n"), strings.Replace(customer("Y int32 `aml:\",was=x\"`\n"), "customers", "customers,was=clients", 1)))
	require.Equal(t, []string{"model.go:4:1: n of customers is dropped, and nnn is new and like it; if that is one column under another name, write was=n", "model.go:4:19: there is no column m any more; take was=m off"},
		hints(customer("N int32 `aml:\"n\"`\n"), customer("N int32 `aml:\"nnn,was=m\"`\n")), "a wrong was= hides nothing")
	require.Equal(t, []string{"model.go:2:44: customers is dropped, and clients is new and like it; if that is one table under another name, write was=customers", "model.go:2:52: there is no table custumers any more; take was=custumers off"},
		hints(customer(""), strings.Replace(customer(""), "customers", "clients,was=custumers", 1)))
	require.Empty(t, hints(customer("Name string\n"), customer("Name string\nAge int32\n")))
	require.Empty(t, hints(customer("Name string\n"), customer("Age int32\n")))
}
