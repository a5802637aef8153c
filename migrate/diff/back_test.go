package diff_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/diff"
)

// folder grows by what a story of models plans, or by what is written by hand.
type folder struct {
	t     *testing.T
	files fstest.MapFS
}

func newFolder(t *testing.T) *folder { return &folder{t, fstest.MapFS{}} }

func (f *folder) write(text string) {
	name, err := migrate.FileName(len(f.files)+1, "step")
	require.NoError(f.t, err)
	f.files[name] = &fstest.MapFile{Data: []byte(text)}
}

func (f *folder) plan(structs string) *diff.Plan {
	f.t.Helper()
	files, err := migrate.ReadFolder(f.files)
	require.NoError(f.t, err)
	from, err := catalog.Replay(files)
	require.NoError(f.t, err)
	plan, err := diff.Diff(from, declared(f.t, structs))
	require.NoError(f.t, err)
	return plan
}

// next writes the file that leads to a model, and gives its steps without comments.
func (f *folder) next(structs string) string {
	f.t.Helper()
	plan := f.plan(structs)
	if len(plan.Steps) > 0 {
		f.write(plan.String())
	}
	return stepsOf(plan)
}

func (f *folder) hints(structs string) string {
	f.t.Helper()
	var out []string
	for _, h := range f.plan(structs).Hints {
		out = append(out, h.String())
	}
	return strings.Join(out, "\n")
}

// The index of an earlier column stays, and is no difference, as long as was= names the column, and goes with it.
func TestIndexOfAnEarlierColumnGoesWithIt(t *testing.T) {
	f := newFolder(t)
	f.next(customer("Score int32 `aml:\"score,index\"`\n"))
	require.NotContains(t, f.next(customer("Score int64 `aml:\"score2,index,was=score\"`\n")), "DROP")
	require.Empty(t, f.next(customer("Score int64 `aml:\"score2,index,was=score\"`\n")))
	require.Equal(t, "-- aml:func copy_customers_score2_to_score", f.next(customer("Score int32 `aml:\"score,index,was=score2\"`\n")), "taken back")
	require.Equal(t, "DROP INDEX customers__score2_index\nALTER TABLE customers DROP score2", f.next(customer("Score int32 `aml:\"score,index\"`\n")))
}

// A table that was= makes anew has never had the earlier column, but the copy of its rows reads it.
func TestWasOfAColumnIsNeededInATableThatWasMadeAnew(t *testing.T) {
	clients := strings.Replace(customer("FullName string `aml:\"full_name,was=name\"`\n"), "customers", "clients,was=customers", 1)
	f := newFolder(t)
	f.next(customer("Name string `aml:\"name\"`\n"))
	f.next(clients)
	require.Empty(t, f.hints(clients))
	require.Contains(t, f.hints(strings.Replace(clients, "was=name", "was=other", 1)), "there is no column other any more; take was=other off")
	require.Contains(t, f.hints(strings.Replace(clients, ",was=customers", "", 1)), "there is no column name any more; take was=name off")
}

func TestAColumnIsTakenBack(t *testing.T) {
	x, y := customer("X string `aml:\"x,was=y\"`\n"), customer("Y string `aml:\"y,was=x\"`\n")
	f := newFolder(t)
	f.next(customer("X string `aml:\"x\"`\n"))
	require.Equal(t, "ALTER TABLE customers ADD y text\n-- aml:func copy_customers_x_to_y", f.next(y))
	require.Empty(t, f.next(y))

	plan := f.plan(x)
	require.Equal(t, "-- x takes its place back from y, whose values are copied.\n-- What was deleted in y since stays in x.\n-- aml:func copy_customers_y_to_x\n", plan.String())
	require.True(t, plan.Funcs[0].Complete())
	require.Equal(t, []diff.Moved{{From: "y", To: "x"}}, plan.Funcs[0].Move.Columns)

	require.Equal(t, "-- aml:func copy_customers_y_to_x", f.next(x))
	require.Empty(t, f.next(x), "the folder has the copy")
	require.Equal(t, "-- aml:func copy_customers_x_to_y_again", f.next(y), "and forth, under a name that no earlier function has")
	require.Empty(t, f.next(y))
	require.Equal(t, "-- aml:func copy_customers_y_to_x_again", f.next(x))
	require.Equal(t, "-- aml:func copy_customers_x_to_y_again_2", f.next(y))
	require.Equal(t, "-- aml:func copy_customers_y_to_x_again_2", f.next(x))
	require.Empty(t, f.next(x))
	require.Equal(t, "ALTER TABLE customers DROP y", f.next(customer("X string `aml:\"x\"`\n")))
}

func TestATableIsTakenBack(t *testing.T) {
	goods := func(tag string) string {
		return strings.Replace(customer("Name string `aml:\"name\"`\n"), "customers", tag, 1)
	}
	f := newFolder(t)
	f.next(goods("items"))
	require.Contains(t, f.next(goods("goods,was=items")), "-- aml:func copy_items_to_goods")
	f.write("-- aml:func copy_items_to_goods\n") // what older programs wrote beside
	require.Empty(t, f.next(goods("goods,was=items")))
	require.Equal(t, "-- aml:func copy_goods_to_items", f.next(goods("items,was=goods")))
	require.Empty(t, f.next(goods("items,was=goods")))
	require.Equal(t, "-- aml:func copy_items_to_goods_again", f.next(goods("goods,was=items")))
	require.Equal(t, "DROP TABLE items", f.next(goods("goods")))
}

// A redundant table is filled again, and so is one of which a column is taken back.
func TestARedundantTableIsTakenBack(t *testing.T) {
	model := func(tag, field string) string {
		return customer("Name string\nX string `aml:\"x\"`\n") + strings.Replace(byName(field), "by_name,", tag+",", 1)
	}
	const x, y = "X string `aml:\"x,was=y\"`\n", "X string `aml:\"y,was=x,from=Customer.X\"`\n"
	f := newFolder(t)
	f.next(model("by_name", ""))
	require.Contains(t, f.next(model("named,was=by_name", "")), "-- aml:backfill named")
	require.Equal(t, "-- aml:backfill by_name", f.next(model("by_name,was=named", "")))
	require.Empty(t, f.next(model("by_name,was=named", "")))
	require.Equal(t, "-- aml:backfill named", f.next(model("named,was=by_name", "")))
	require.Equal(t, "DROP TABLE by_name", f.next(model("named", "")))

	f.next(model("named", "X string `aml:\"x\"`\n"))
	require.Equal(t, "ALTER TABLE named ADD y text\n-- aml:backfill named", f.next(model("named", y)))
	require.Equal(t, "-- aml:backfill named", f.next(model("named", x)))
	require.Empty(t, f.next(model("named", x)))
}

// What one file makes is of one time: then the folder does not say that anything was copied, unless it calls the copy.
func TestWhatOneFileMakesIsCopied(t *testing.T) {
	const both = "CREATE TABLE customers (id int PRIMARY KEY, x text);\nALTER TABLE customers ADD y text;\n"
	y := customer("Y string `aml:\"y,was=x\"`\n")
	f := newFolder(t)
	f.write(both)
	require.Equal(t, "-- aml:func copy_customers_x_to_y", f.next(y))
	require.Empty(t, f.next(y))

	f = newFolder(t)
	f.write(both + "-- aml:func copy_customers_x_to_y\n")
	require.Empty(t, f.next(y))
	require.Equal(t, "-- aml:func copy_customers_y_to_x", f.next(customer("X string `aml:\"x,was=y\"`\n")))
}

// A column that was dropped in between is as old as its return.
func TestWhatComesBackIsNew(t *testing.T) {
	f := newFolder(t)
	f.write("CREATE TABLE customers (id int PRIMARY KEY, x text)")
	f.write("ALTER TABLE customers ADD y text")
	f.write("ALTER TABLE customers DROP x")
	f.write("ALTER TABLE customers ADD x text")
	require.Empty(t, f.next(customer("X string `aml:\"x,was=y\"`\n")))
	require.Equal(t, "-- aml:func copy_customers_x_to_y", f.next(customer("Y string `aml:\"y,was=x\"`\n")))
}

// A live keyspace has both names and does not say which came first.
func TestALiveKeyspaceTellsNoOrder(t *testing.T) {
	from := after(t, []string{"CREATE TABLE customers (id int PRIMARY KEY, x text, y text)", "CREATE TABLE clients (id int PRIMARY KEY)"})
	from.Order = nil
	plan, err := diff.Diff(from, declared(t, strings.Replace(customer("X string `aml:\"x,was=y\"`\n"), "customers", "customers,was=clients", 1)))
	require.NoError(t, err)
	require.Empty(t, plan.Steps)
	var hints []string
	for _, h := range plan.Hints {
		hints = append(hints, h.String())
	}
	const rest = " are both there, and a live keyspace does not tell which took the place of the other; the folder does: without -from live a name that is taken back gets its data back, too"
	require.Equal(t, []string{
		"model.go:2:54: tables clients and customers" + rest,
		"model.go:4:18: columns y and x of customers" + rest,
	}, hints)
}

// A redundant table that is later than its source, and that no file fills, is named for as long.
func TestARedundantTableThatNothingFills(t *testing.T) {
	model := customer("Name string\n") + byName("")
	f := newFolder(t)
	f.next(customer("Name string\n"))
	f.write("CREATE TABLE by_name (name text, id int, PRIMARY KEY (name, id))")
	require.Empty(t, f.next(model))
	require.Equal(t, "model.go:6:42: no migration fills by_name, which came when customers was there: what customers held then is missing in it; "+
		"write -- aml:backfill by_name in the next one", f.hints(model))
	f.write("-- aml:backfill by_name")
	require.Empty(t, f.hints(model))

	f = newFolder(t)
	f.next(model)
	require.Empty(t, f.hints(model), "both came together")
}
