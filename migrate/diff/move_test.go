package diff_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/diff"
)

// newStub returns the source of the functions that move data from one model to the next, which it type-checks.
func newStub(t *testing.T, from, to string) string {
	t.Helper()
	plan, err := diff.Diff(after(t, declared(t, from).Statements()), declared(t, to))
	require.NoError(t, err)
	text, err := diff.Stub("shop", "0002_next.cql", "gocqldriver", plan.Funcs)
	require.NoError(t, err)
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "migration_0002.go", text, 0)
	require.NoError(t, err)
	var faults []string
	check := types.Config{Importer: libraries(), Error: func(err error) { faults = append(faults, err.(types.Error).Msg) }}
	_, _ = check.Check("shop", fset, []*ast.File{f}, nil)
	unwritten := strings.Count(string(text), "This does not compile until then.")
	require.Equal(t, slices.Repeat([]string{"missing return"}, unwritten), append([]string{}, faults...), "%s", text)
	require.Equal(t, slices.ContainsFunc(plan.Funcs, func(f diff.Func) bool { return !f.Complete() }), unwritten > 0)
	return string(text)
}

func TestMovesOfTables(t *testing.T) {
	const fields = "Name string `aml:\"name\"`\nFax string `aml:\"fax\"`\nTags []string `aml:\"tags,unique\"`\nAge string `aml:\"age\"`\n"
	const renamed = "FullName string `aml:\"full_name,was=name\"`\nTags []string `aml:\"tags,unique,final\"`\nAge int32 `aml:\"age\"`\nNew int32 `aml:\"new\"`\n"
	text := newStub(t, customer(fields), strings.Replace(customer(renamed), "customers", "clients,was=customers", 1))
	for _, want := range []string{
		`return copydata.Rows{From: "customers", To: "clients", Columns: []copydata.Column{`,
		`{From: "id", To: "id"},`, `{From: "name", To: "full_name"},`, `{From: "tags", To: "tags"},`,
		`{From: "age", To: "age", Convert: copydata.Convert(func(v string) (int32, error) {`,
		"// Write how age (int) is computed from age (text). This does not compile until then.\n",
		"// Nothing is copied to new.\n", "// The values of fax are not copied.\n",
	} {
		require.Contains(t, text, want)
	}
}

// A column that becomes part of the key must have a value in each row.
func TestMovesIntoTheKey(t *testing.T) {
	text := newStub(t, customer("Fax string `aml:\"fax\"`\n"), strings.Replace(customer("Fax string `aml:\"fax,discriminator,required\"`\n"), "customers", "clients,was=customers", 1))
	require.Contains(t, text, "		{From: \"fax\", To: \"fax\"},\n")
	require.Contains(t, text, "		// fax is part of the primary key: the copy fails at a row whose fax is null, and if fax of a row changes before the copy is repeated, the row is stored twice.\n")
}

// The function for a changed type is complete except for the conversion, which is complete, too, if the new type has all values of
// the old one.
func TestMovesOfColumns(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"string `aml:\"v\"`", "string `aml:\"w,was=v\"`", `{From: "v", To: "w"},`},
		{"[]string `aml:\"v\"`", "[]string `aml:\"w,was=v,final\"`", `{From: "v", To: "w"},`},
		{"int64 `aml:\"v\"`", "gocql.UUID `aml:\"w,was=v\"`", "func(v int64) (gocql.UUID, error) {"},
		{"time.Time `aml:\"v\"`", "*big.Int `aml:\"w,was=v\"`", "func(v time.Time) (*big.Int, error) {"},
		{"*inf.Dec `aml:\"v\"`", "netip.Addr `aml:\"w,was=v\"`", "func(v *inf.Dec) (net.IP, error) {"},
		{"[]byte `aml:\"v\"`", "gocql.Duration `aml:\"w,was=v\"`", "func(v []byte) (gocql.Duration, error) {"},
		{"int32 `aml:\"v\"`", "int64 `aml:\"w,was=v\"`", "return int64(v), nil"},
		{"int8 `aml:\"v\"`", "float32 `aml:\"w,was=v\"`", "return float32(v), nil"},
		{"int32 `aml:\"v\"`", "*big.Int `aml:\"w,was=v\"`", "return big.NewInt(int64(v)), nil"},
		{"int64 `aml:\"v\"`", "*inf.Dec `aml:\"w,was=v\"`", "return inf.NewDec(int64(v), 0), nil"},
		{"*big.Int `aml:\"v\"`", "*inf.Dec `aml:\"w,was=v\"`", "return inf.NewDecBig(v, 0), nil"},
		{"float32 `aml:\"v\"`", "float64 `aml:\"w,was=v\"`", "return float64(v), nil"},
		{"string `aml:\"v,type=ascii\"`", "string `aml:\"w,was=v\"`", "return v, nil"},
		{"int64 `aml:\"v\"`", "int32 `aml:\"w,was=v\"`", "This does not compile until then."},
		{"int64 `aml:\"v\"`", "float64 `aml:\"w,was=v\"`", "This does not compile until then."},
		{"string `aml:\"v\"`", "[]string `aml:\"w,was=v\"`", "// It is not generated because column v is text, and column w, to which it is copied, is list<text>.\n"},
	} {
		require.Contains(t, newStub(t, customer("V "+c.from+"\n"), customer("V "+c.to+"\n")), c.want)
	}
}

// A function that must be written by hand has a comment with the reason.
func TestMovesByHand(t *testing.T) {
	counted, plain := "N int64 `aml:\"n,counter\"`\n", "N int64 `aml:\"n\"`\n"
	moved := func(s string) string { return strings.Replace(s, "customers", "clients,was=customers", 1) }
	require.Contains(t, newStub(t, customer(counted), moved(customer(plain))), `{From: "n", To: "n"},`)
	for want, way := range map[string][2]string{
		"because rows of customers that differ only in n would become one row of clients.":                           {customer("N int32 `aml:\"n,discriminator\"`\n"), moved(customer("N int32 `aml:\"n\"`\n"))},
		"because column n is a counter, and an increment that is repeated counts twice.":                             {customer(plain), moved(customer(counted))},
		"because column note of visits_2 is static: rows of visits that differ in hall or at would share one value.": {visits("visits", "at,discriminator", "note"), visits("visits_2,was=visits", "at,discriminator,desc", "note,static")},
		"because column note of visits_2 is static: rows of visits that differ in hall would share one value.": {
			strings.Replace(visits("visits", "at,discriminator", "note,static"), "hall,discriminator", "hall,identifier", 1), visits("visits_2,was=visits", "at,discriminator", "note,static")},
		"because columns b and a exchange names, and the rows of customers do not show which values belong to which.": {customer("A string `aml:\"a\"`\nB string `aml:\"b\"`\n"), moved(customer("A string `aml:\"b,was=a\"`\nB string `aml:\"a,was=b\"`\n"))},
		"because by_v of Customer is replaced, too, and a save that has not ended can have rows to delete there: replace one table after the other.": {
			customer("V int64 `aml:\"v,version\"`\n") + byV("by_v"), moved(customer("V int64 `aml:\"v,version\"`\n")) + byV("by_v_2,was=by_v")},
		"because no column of customers is copied to email, which is part of the primary key.": {customer(""), moved(strings.Replace(customer(""), "id,identifier", "email,identifier", 1))},
		"because column id is int, and column id, to which it is copied, is frozen<k>.":        {customer(""), moved(strings.Replace(customer(""), "int32 `aml:\"id,identifier", "K `aml:\"id,identifier,composition,final", 1)) + "type K struct { A int32 }\n"},
	} {
		text := newStub(t, way[0], way[1])
		require.Contains(t, text, want)
		require.Contains(t, text, "	// Write how table ")
	}
}

// visits has rows of a hall in a shop, some with a note.
func visits(table, at, note string) string {
	return "type Visit struct { aml.Aggregate `aml:\"" + table + "\"`\nShop string `aml:\"shop,identifier\"`\nHall int32 `aml:\"hall,discriminator\"`\nAt int64 `aml:\"" + at + "\"`\nNote string `aml:\"" + note + "\"`\n}\n"
}

// A column can become static if all rows of a partition have the same value.
func TestMovesOfStatics(t *testing.T) {
	require.Contains(t, newStub(t, visits("visits", "at,discriminator", "note,static"), visits("visits_2,was=visits", "at,discriminator,desc", "note,static")), `{From: "note", To: "note"},`)
	apart := customer("Note string `aml:\"note\"`\nAt int64 `aml:\"at\"`\n")
	static := strings.Replace(customer("Note string `aml:\"note,static\"`\nAt int64 `aml:\"at,discriminator\"`\n"), "customers", "clients,was=customers", 1)
	require.Contains(t, newStub(t, apart, static), `{From: "note", To: "note"},`)
}

// If a column was copied before its table is replaced, the column with the new name has the newest values.
func TestMovesOfColumnsThatWereCopied(t *testing.T) {
	moves := func(model, table string) diff.Func {
		f := newFolder(t)
		f.next(customer("Name string `aml:\"name\"`\n"))
		f.next(customer("FullName string `aml:\"full_name,was=name\"`\n"))
		return f.plan(strings.Replace(customer(model), "customers", table, 1)).Funcs[0]
	}
	done := moves("FullName string `aml:\"full_name,was=name\"`\n", "clients,was=customers")
	require.Equal(t, []diff.Moved{{From: "full_name", To: "full_name"}}, done.Move.Columns[1:])
	back := moves("Name string `aml:\"name,was=full_name\"`\n", "clients,was=customers")
	require.Equal(t, "customers has columns full_name and name, and the folder does not show which of them has the values", back.Why)
}

// A column that was= copies to a new name is not copied to a column with its old name.
func TestMovesOfNamesThatAreTaken(t *testing.T) {
	text := newStub(t, customer("Name string `aml:\"name\"`\n"), strings.Replace(customer("FullName string `aml:\"full_name,was=name\"`\nName string `aml:\"name\"`\n"), "customers", "clients,was=customers", 1))
	require.Contains(t, text, "		{From: \"name\", To: \"full_name\"},\n		// Nothing is copied to name.\n	}}")
}

// byV is a redundant table of customers.
func byV(table string) string {
	return "type ByV struct { aml.Aggregate `aml:\"" + table + ",redundant=Customer\"`\nID int32 `aml:\"id,identifier\"`\nV int64 `aml:\"v\"`\n}\n"
}

// The rows of a versioned root are copied with their versions and hidden columns. The column of head rows has one value.
func TestMovesOfVersionedRoots(t *testing.T) {
	queue := func(root, part string) string {
		return "type Queue struct { aml.Aggregate `aml:\"" + root + "\"`\nID int32 `aml:\"id,identifier\"`\nDone int64 `aml:\"done\"`\nVersion int64 `aml:\"version,version\"`\n}\n" +
			"type Task struct { aml.Entity `aml:\"" + part + ",part=Queue\"`\nID int32 `aml:\"id,identifier\"`\nNumber int64 `aml:\"number,discriminator\"`\n}\n"
	}
	from, to := queue("queues", "queues"), queue("queues_2,headrow,was=queues", "queues_2")
	text := newStub(t, from, to)
	for _, want := range []string{
		`copydata.Rows{From: "queues", To: "queues_2", Serial: true, Columns: []copydata.Column{`, `{From: "version", To: "version"},`, `{From: "aml_attempts", To: "aml_attempts"},`,
		`{From: "aml_deleted", To: "aml_deleted"},`, `{To: "aml_part", Value: true},`, `{From: "number", To: "number"},`, "Stop all programs of the earlier model before the call",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "Nothing is copied")
	require.NotContains(t, text, "may still write")
	plan, err := diff.Diff(after(t, declared(t, from).Statements()), declared(t, to))
	require.NoError(t, err)
	require.Contains(t, plan.String(), "-- The rows of queues are copied to queues_2.\n-- aml:func copy_queues_to_queues_2\n")
	require.Contains(t, plan.String(), "-- Each row of queues_2 keeps its version, claims its unique values and writes its copies. Stop all programs of the earlier\n"+
		"-- release before this file is applied: what they write to queues is lost. A rolling deploy is not possible.\n-- aml:func queues_2__version\n")

	_, err = diff.Diff(after(t, declared(t, from).Statements()), declared(t, queue("queues,headrow", "queues")))
	require.ErrorContains(t, err, "create a new table: write `aml:\"queues_2,headrow,was=queues\"` on the marker of Queue, and `aml:\"queues_2,part=Queue\"` on the marker of Task")

	plain := strings.Replace(from, "Version int64 `aml:\"version,version\"`", "Name string `aml:\"name,required\"`", 1)
	text = newStub(t, plain, to)
	require.NotContains(t, text, "aml_attempts")
	require.NotContains(t, text, "Serial")
	require.Contains(t, text, "		// Nothing is copied to version.\n")
}
