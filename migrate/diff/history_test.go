package diff_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
)

// story is a folder to which a test adds planned and handwritten files.
type story struct {
	t     *testing.T
	files fstest.MapFS
}

func newFolder(t *testing.T) *story { return &story{t, fstest.MapFS{}} }

func (f *story) write(text string) {
	name, err := folder.FileName(len(f.files)+1, "step")
	require.NoError(f.t, err)
	f.files[name] = &fstest.MapFile{Data: []byte(text)}
}

func (f *story) plan(structs string) *diff.Plan {
	f.t.Helper()
	files, err := folder.Read(f.files)
	require.NoError(f.t, err)
	from, err := catalog.Replay(files)
	require.NoError(f.t, err)
	plan, err := diff.Diff(from, declared(f.t, structs))
	require.NoError(f.t, err)
	return plan
}

// next writes the file that leads to a model, and returns its steps without comments.
func (f *story) next(structs string) string {
	f.t.Helper()
	plan := f.plan(structs)
	if len(plan.Steps) > 0 {
		f.write(plan.String())
	}
	return formatSteps(plan)
}

func (f *story) hints(structs string) string {
	f.t.Helper()
	var out []string
	for _, h := range f.plan(structs).Hints {
		out = append(out, h.String())
	}
	return strings.Join(out, "\n")
}

// The index of an earlier column is kept while was= names the column, and is dropped with the column.
func TestIndexOfAnEarlierColumnIsDroppedWithIt(t *testing.T) {
	f := newFolder(t)
	f.next(customer("Score int32 `aml:\"score,index\"`\n"))
	require.NotContains(t, f.next(customer("Score int64 `aml:\"score2,index,was=score\"`\n")), "DROP")
	require.Empty(t, f.next(customer("Score int64 `aml:\"score2,index,was=score\"`\n")))
	require.Equal(t, "DROP INDEX customers__score_index\nALTER TABLE customers DROP score", f.next(customer("Score int64 `aml:\"score2,index\"`\n")))
}

// A table that replaces another one has never had the earlier column, but the copy of its rows reads that column.
func TestWasOfAColumnInAReplacedTable(t *testing.T) {
	clients := strings.Replace(customer("FullName string `aml:\"full_name,was=name\"`\n"), "customers", "clients,was=customers", 1)
	f := newFolder(t)
	f.next(customer("Name string `aml:\"name\"`\n"))
	f.next(clients)
	require.Empty(t, f.hints(clients))
	require.Contains(t, f.hints(strings.Replace(clients, "was=name", "was=other", 1)), "column other no longer exists; remove was=other")
	require.Contains(t, f.hints(strings.Replace(clients, ",was=customers", "", 1)), "column name no longer exists; remove was=name")
}

// A rename that is reverted while both names exist copies nothing, and is reported.
func TestRevertedRenameIsReported(t *testing.T) {
	const rest = ", which was= names: nothing is copied back; write a migration that copies the values back, then remove was="
	x, y := customer("X string `aml:\"x,was=y\"`\n"), customer("Y string `aml:\"y,was=x\"`\n")
	f := newFolder(t)
	f.next(customer("X string `aml:\"x\"`\n"))
	require.Equal(t, "ALTER TABLE customers ADD y text\n-- aml:func copy_customers_x_to_y", f.next(y))
	require.Empty(t, f.hints(y))
	require.Empty(t, f.next(x))
	require.Contains(t, f.hints(x), "column x of customers is older than y"+rest)
	require.Equal(t, "ALTER TABLE customers DROP y", f.next(customer("X string `aml:\"x\"`\n")))

	clients := strings.Replace(customer(""), "customers", "clients,was=customers", 1)
	f.next(clients)
	require.NotContains(t, f.hints(clients), "older")
	require.Contains(t, f.hints(strings.Replace(customer(""), "customers", "customers,was=clients", 1)), "customers is older than clients"+rest)
}

// The name of a function is unique in the folder.
func TestFunctionsHaveUniqueNames(t *testing.T) {
	f := newFolder(t)
	f.next(customer("X string `aml:\"x\"`\n"))
	f.write("-- aml:func copy_customers_x_to_y")
	require.Equal(t, "ALTER TABLE customers ADD y text\n-- aml:func copy_customers_x_to_y_2", f.next(customer("Y string `aml:\"y,was=x\"`\n")))
}

// A redundant table that is created after its source is reported until a file fills it.
func TestUnfilledRedundantTableIsReported(t *testing.T) {
	model := customer("Name string\n") + byName("")
	f := newFolder(t)
	f.next(customer("Name string\n"))
	f.write("CREATE TABLE by_name (name text, id int, PRIMARY KEY (name, id))")
	require.Empty(t, f.next(model))
	require.Equal(t, "model.go:6:42: no migration fills by_name, which was created after customers: the rows that customers had then are missing in it; "+
		"write -- aml:backfill by_name in the next migration", f.hints(model))
	f.write("-- aml:backfill by_name")
	require.Empty(t, f.hints(model))

	f = newFolder(t)
	f.next(model)
	require.Empty(t, f.hints(model), "both are created together")
}

// A field that leaves a value object stays in its type. A redundant table that is created without it has no values of it, so it is
// filled again when the field comes back; a table that was filled with the field is not.
func TestTablesWithoutAFieldThatComesBackAreFilledAgain(t *testing.T) {
	table := func(name, key string) string {
		return "//aml:ignore AML902 one writer\ntype By" + key + " struct {\n\taml.Aggregate `aml:\"" + name + ",redundant=Customer\"`\n\t" + key +
			" string `aml:\",identifier\"`\n\tID int32 `aml:\",discriminator\"`\n\tOwner Owner `aml:\"owner,composition,from=Customer\"`\n}\n"
	}
	model := func(owner, more string) string {
		return customer("Name string `aml:\"name,required\"`\n\tCity string `aml:\"city,required\"`\n") + "type Owner struct {\n\tID int32\n\tName string\n" + owner + "}\n" +
			table("vehicles", "Name") + more
	}
	phone := table("phones", "City")
	f := newFolder(t)
	require.Contains(t, f.next(model("\tCity string\n", "")), "CREATE TABLE IF NOT EXISTS vehicles")
	require.Empty(t, f.next(model("", "")), "a type keeps its fields")
	created := f.next(model("", phone))
	require.Contains(t, created, "CREATE TABLE IF NOT EXISTS phones")
	require.True(t, strings.HasSuffix(created, "-- aml:fields phones owner (id, name)\n-- aml:backfill phones"), created)
	require.Empty(t, f.next(model("", phone)))
	plan := f.plan(model("\tCity string\n", phone))
	require.Contains(t, plan.String(), "-- Owner has fields again that it did not have when phones was filled.\n-- aml:backfill phones\n")
	require.Equal(t, "-- aml:backfill phones", f.next(model("\tCity string\n", phone)))
	require.Empty(t, f.next(model("\tCity string\n", phone)))

	f.write("DROP TABLE phones;")
	require.Contains(t, f.next(model("", phone)), "-- aml:fields phones owner (id, name)")
	f.write("-- aml:backfill phones")
	require.Empty(t, f.next(model("\tCity string\n", phone)), "a program that knows the field has filled the table")
}

// A list that is not frozen is copied once. The comments of the migration and of its function require that programs of the earlier release are stopped first.
func TestCopiesOfListsRequireAStop(t *testing.T) {
	const stop = "Stop all programs of the earlier release before this file is applied: what they change in notes"
	for after, stops := range map[string]bool{
		strings.Replace(customer("Notes []string `aml:\"notes\"`\n"), "customers", "clients,was=customers", 1):       true,
		strings.Replace(customer("Notes []string `aml:\"notes,final\"`\n"), "customers", "clients,was=customers", 1): false,
		customer("Notes2 []string `aml:\"notes_2,was=notes\"`\n"):                                                    true,
	} {
		f := newFolder(t)
		f.next(customer("Notes []string `aml:\"notes\"`\n"))
		plan := f.plan(after)
		require.Equal(t, stops, strings.Contains(plan.String(), strings.TrimSuffix(stop, " notes")), plan.String())
		stub, err := diff.Stub("shop", "0002_step.cql", "gocqldriver", plan.Funcs)
		require.NoError(t, err)
		require.Equal(t, stops, strings.Contains(string(stub), "// Stop all programs of the earlier model before the call."), string(stub))
	}
}

// A column of a versioned root that replaces another one is filled by a complete function, which saves each row. Lint and the migration
// require that the earlier release is stopped. The call is after all statements that create something.
func TestColumnOfAVersionedRootIsFilledBySaves(t *testing.T) {
	f := newFolder(t)
	const version = "\tVersion int64 `aml:\",version\"`\n"
	f.next(customer("Score int32 `aml:\"score\"`\n" + version))
	plan := f.plan(customer("Score int64 `aml:\"score_2,was=score\"`\n\tMore string `aml:\"more,index\"`\n" + version))
	text := plan.String()
	require.Contains(t, text, "Stop all programs of the earlier release before this file is applied")
	require.Less(t, strings.LastIndex(text, "CREATE INDEX"), strings.Index(text, "-- aml:func copy_customers_score_to_score_2"))
	require.True(t, plan.Funcs[0].Complete())
	stub, err := diff.Stub("shop", "0002_step.cql", "gocqldriver", plan.Funcs)
	require.NoError(t, err)
	for _, want := range []string{"store, err := Open(ctx, gocqldriver.Session(session), mapper.Config{})", `Save: gen.FillNull(store.Customers.Versioned, "score_2"),`, "return int64(v), nil", `"github.com/cassaml/cassaml/mapper/gen"`} {
		require.Contains(t, string(stub), want)
	}
}

// A reverse table whose rows no file has written gets them by the next one: its comment alone is not changed.
func TestReverseTableIsFilledByALaterFile(t *testing.T) {
	library := func(options string) string {
		return "type Author struct { aml.Aggregate `aml:\"authors\"`\n ID int32 `aml:\"id,identifier\"`\n Version int64 `aml:\"version,version\"` }\n" +
			"type Paper struct { aml.Aggregate `aml:\"papers\"`\n ID int32 `aml:\"id,identifier\"`\n Author *int32 `aml:\"author,association=Author" + options + "\"`\n Version int64 `aml:\"version,version\"` }\n"
	}
	f := newFolder(t)
	f.next(library(""))
	text := f.plan(library(",checked")).String()
	created, _, called := strings.Cut(text, "-- The references of each row")
	require.True(t, called)
	f.write(created)
	const want = "-- aml:func papers__references\nALTER TABLE papers__author_refs WITH comment = 'buckets: "
	require.Equal(t, want+"1'", formatSteps(f.plan(library(",checked"))))
	require.Equal(t, want+"2'", f.next(library(",checked,rows=100000")))
	require.Empty(t, f.next(library(",checked,rows=100000")))
}

// A copy that is added to a root with data gets its values from the generated function: with the reverse table, or alone if the table is there.
func TestCopiesOfARootWithDataAreSet(t *testing.T) {
	library := func(fields string) string {
		return "type Author struct { aml.Aggregate `aml:\"authors\"`\n ID int32 `aml:\"id,identifier\"`\n Name string `aml:\"name\"`\n Version int64 `aml:\"version,version\"` }\n" +
			"type Paper struct { aml.Aggregate `aml:\"papers\"`\n ID int32 `aml:\"id,identifier\"`\n" + fields + " Version int64 `aml:\"version,version\"` }\n"
	}
	const (
		author   = " Author *int32 `aml:\"author,association=Author\"`\n"
		checked  = " Author *int32 `aml:\"author,association=Author,checked\"`\n"
		name     = " Name *string `aml:\"name,copy=Author.Name\"`\n"
		again    = " Again *string `aml:\"again,copy=Author.Name\"`\n"
		adoption = "-- aml:func papers__references"
	)
	f := newFolder(t)
	f.next(library(author))
	text := f.plan(library(author + name)).String()
	require.Less(t, strings.Index(text, "ALTER TABLE papers ADD aml_author_ver bigint"), strings.Index(text, adoption))
	require.Less(t, strings.Index(text, "CREATE TABLE IF NOT EXISTS papers__author_holders"), strings.Index(text, adoption))
	require.Contains(t, text, "ALTER TABLE authors ADD aml_outbox bigint")
	require.Equal(t, 1, strings.Count(text, adoption))
	f.next(library(author + name))
	text = f.next(library(author + name + again))
	require.Equal(t, "ALTER TABLE papers ADD again text\n"+adoption, text)
	text = f.plan(library(checked + name + again)).String()
	require.Contains(t, text, "CREATE TABLE IF NOT EXISTS papers__author_refs")
	require.Contains(t, text, adoption)
	require.Contains(t, text, "DROP TABLE papers__author_holders")

	without := f.next(library(author))
	require.Contains(t, without, "ALTER TABLE authors DROP aml_outbox")
	require.NotContains(t, without, "aml_outboxes", "other packages of the keyspace can use it")
	require.Contains(t, f.next(library(author+name)), adoption)
	require.Empty(t, f.next(library(author+name)))

	f = newFolder(t)
	f.next(library(checked))
	plan := f.plan(library(checked + name))
	require.Equal(t, []string{"papers__references"}, plan.Generated)
	require.Contains(t, plan.String(), "Stop all programs of the earlier release before this file is applied")
	require.NotContains(t, plan.String(), "comment", "the reverse table has all rows")
}
