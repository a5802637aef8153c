package migrate

import (
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// The state of a migration follows from its record and its file.
func TestNewReport(t *testing.T) {
	files, err := load(cqlFiles("0001_done.cql", "a; b;", "0002_half.cql", "a; b; c;", "0003_failed.cql", "a;", "0004_edited.cql", "a; b;",
		"0006_late.cql", "a;", "0008_renamed.cql", "a;", "0009_open.cql", "-- aml:backfill filled\n-- aml:backfill empty\na;"), nil)
	require.NoError(t, err)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := state{owner: "another", expires: time.Minute, records: history{
		1: newRecord(&files[0], 2, at), 2: newRecord(&files[1], 1, at), 3: {number: 3, name: "0003_failed.cql", failure: "no such table"},
		4:  newRecord(&folder.File{Number: 4, Name: "0004_edited.cql", Statements: []folder.Statement{{Hash: folder.Hash("a")}, {Hash: folder.Hash("x")}}}, 2, at),
		5:  {number: 5, name: "0005_gone.cql", applied: new(1), total: 1, appliedAt: at},
		7:  {number: 7, name: "0007_go", applied: new(1), total: 1, appliedAt: at},
		8:  newRecord(&folder.File{Number: 8, Name: "0008_before.cql", Statements: []folder.Statement{{Hash: folder.Hash("a")}}}, 1, at),
		10: {number: 10, name: "0010_ahead.cql", applied: new(3), total: 3, appliedAt: at},
	}, fills: fills{{9, "filled"}: {done: true}, {9, "empty"}: {from: "m"}}}
	back := "; restore the file and write the change as a new file"
	late := "comes before 0010_ahead.cql, which is already applied; give it a greater number"
	require.Equal(t, &Report{
		Owner: "another", LockExpires: time.Minute,
		Files: []FileStatus{
			{"0001_done.cql", 1, FileApplied, 2, 2, at, ""},
			{"0002_half.cql", 2, FilePartial, 1, 3, at, ""},
			{"0003_failed.cql", 3, FileOutOfOrder, 0, 1, time.Time{}, late},
			{"0004_edited.cql", 4, FileEdited, 2, 2, at, "statement 2 was applied, and has been edited or removed since" + back},
			{"0005_gone.cql", 5, FileMissing, 1, 1, at, "was applied and is missing; restore the file"},
			{"0006_late.cql", 6, FileOutOfOrder, 0, 1, time.Time{}, late},
			{"0007_go", 7, FileOnlyInGo, 1, 1, at, ""},
			{"0008_renamed.cql", 8, FileEdited, 1, 1, at, "was applied under the name 0008_before.cql" + back},
			{"0009_open.cql", 9, FileOutOfOrder, 0, 1, time.Time{}, late},
			{"0010_ahead.cql", 10, FileNewer, 3, 3, at, ""},
		},
		Backfills: []BackfillStatus{{"0009_open.cql", "filled", "", true, "", ""}, {"0009_open.cql", "empty", "m", false, "", ""}},
	}, newReport(files, s))
}

// Without records, everything is pending; a failed statement is not a record of its file.
func TestReportOfNothing(t *testing.T) {
	files, err := load(shop(), nil)
	require.NoError(t, err)
	require.Equal(t, &Report{Files: []FileStatus{
		{Name: "0001_first.cql", Number: 1, State: FilePending, Total: 3}, {Name: "0002_second.cql", Number: 2, State: FilePending, Total: 1},
	}}, newReport(files, state{}))
	failed := record{number: 1, name: "0001_first.cql", failure: "no such table"}
	require.Equal(t, FileStatus{Name: "0001_first.cql", Number: 1, State: FileFailed, Total: 3, Reason: "no such table"},
		newReport(files, state{records: history{1: failed}}).Files[0])
}

// The reason of a file with a misspelt directive is the directive, also after a failure.
func TestReportOfMisspeltDirectives(t *testing.T) {
	files, err := load(cqlFiles("0001_first.cql", "a; b;\n// aml:func x\n"), nil)
	require.NoError(t, err)
	first := newReport(files, state{records: history{1: {number: 1, name: "0001_first.cql", failure: "no such table"}}}).Files[0]
	require.Equal(t, FileFailed, first.State)
	require.Contains(t, first.Reason, "write -- aml:func x")
}

// Status waits for a table that a run is creating; without a table, nothing is recorded.
func TestStatusBesideARunThatMakesTheTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.missing = true
		s, err := readIfThere(t.Context(), db, partition, "shop")
		require.NoError(t, err)
		require.Equal(t, state{records: history{}, fills: fills{}}, s)
		require.Equal(t, []string{"read", "names"}, db.took())

		db.state.epoch = 7
		columns := map[string]bool{}
		for _, c := range recordColumns {
			columns[c] = true
		}
		db.schema[effectKey{effect.ColumnObject, "shop", "aml_migrations"}] = columns
		looks := 0
		db.fault = func(request string) fault {
			if request == "names" {
				looks++
			}
			db.missing = looks < 3
			return fine
		}
		s, err = readIfThere(t.Context(), db, partition, "shop")
		require.NoError(t, err)
		require.Equal(t, int64(7), s.epoch)
		require.Equal(t, []string{"read", "names", "read", "names", "read", "names", "read"}, db.took())
	})
}

// A read that the server refuses for another reason is not repeated.
func TestStatusIsRefused(t *testing.T) {
	db := newFake()
	db.fault = once("read", refuse)
	_, err := readIfThere(t.Context(), db, partition, "shop")
	require.EqualError(t, err, "migrate: read aml_migrations: no such thing")
}

// A backfill whose table does not exist is skipped, unless a pending step may create the table.
func TestReportOfBackfillsWithoutTable(t *testing.T) {
	files, err := load(cqlFiles("0001_fills.cql", "a; -- aml:backfill gone\n-- aml:backfill there\n-- aml:backfill done\n-- aml:backfill late",
		"0002_more.cql", "b; CREATE TABLE late (id int PRIMARY KEY)\n-- aml:backfill new"), nil)
	require.NoError(t, err)
	db := newFake()
	db.run("CREATE TABLE there (id int PRIMARY KEY)")
	skipped := func(h history) []string {
		r := newReport(files, state{records: h, fills: fills{{1, "done"}: {done: true}}})
		r.Keyspace = "shop"
		require.NoError(t, r.skip(t.Context(), db, files, h))
		var all []string
		for _, b := range r.Backfills {
			all = append(all, b.Skipped)
		}
		return all
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.Equal(t, []string{"", "", "", "", ""}, skipped(nil), "nothing is applied")
	half := history{1: newRecord(&files[0], 1, at), 2: newRecord(&files[1], 1, at)}
	require.Equal(t, []string{"table gone does not exist", "", "", "", ""}, skipped(half))
	whole := history{1: newRecord(&files[0], 1, at), 2: newRecord(&files[1], 2, at)}
	require.Equal(t, []string{"table gone does not exist", "", "", "table late does not exist", "table new does not exist"}, skipped(whole))
}

// A misspelt directive is refused with its line and the correct form.
func TestMisspeltDirectivesAreRefused(t *testing.T) {
	for comment, meant := range map[string]string{
		"// aml:func x":              "-- aml:func x",
		"//aml:func x":               "-- aml:func x",
		"-- AML:func x":              "-- aml:func x",
		"--\tAml : FUNC  x":          "-- aml:func x",
		"/* aml:func x */":           "-- aml:func x",
		"/** aml:func x **/":         "-- aml:func x",
		"/*\n  aml:func x\n y */":    "-- aml:func x",
		"-- aml : func x":            "-- aml:func x",
		"--  aml.func x":             "-- aml:func x",
		"-- aml func x":              "-- aml:func x",
		"--- aml:func x":             "-- aml:func x",
		"-- aml_func x":              "-- aml:func x",
		"-- aml-func x":              "-- aml:func x",
		"-- @aml:func x":             "-- aml:func x",
		"// @AML_func: x":            "-- aml:func x",
		"-- Aml.Func x":              "-- aml:func x",
		"-- Aml: Func x y":           "-- aml:func x y",
		"--\u00a0aml:func x":         "-- aml:func x",
		"// aml:allow MIG102 unused": "-- aml:allow MIG102 unused",
		"-- aml.manual":              "-- aml:manual",
	} {
		db := newFake()
		err := db.up(t, t.Context(), cqlFiles("0001_a.cql", "CREATE a;\n  "+comment+"\n"), Config{})
		require.EqualError(t, err, "0001_a.cql:2:3: the comment looks like a directive, but has another form: write "+meant+", or begin the comment with another word", comment)
		require.ErrorAs(t, err, new(*folder.SyntaxError))
		assert.Empty(t, db.sent)
	}
	for _, comment := range []string{"-- aml:FUNC x", "-- aml: func x", "-- aml:  FUNC\tx", "-- aml::func x"} {
		_, err := load(cqlFiles("0001_a.cql", comment), nil)
		assert.ErrorContains(t, err, "write -- aml:func", comment)
	}
	for _, comment := range []string{"-- aml:func: x", "-- aml:func:x", "-- aml:func:: x"} {
		_, err := load(cqlFiles("0001_a.cql", comment), nil)
		assert.ErrorContains(t, err, "; write -- aml:func x", comment)
	}
	_, err := load(cqlFiles("0001_a.cql", "-- aml:func : x"), nil)
	assert.EqualError(t, err, `0001_a.cql:1:1: aml:func takes one name, not ": x"`)
}

func TestProseIsNoDirective(t *testing.T) {
	db := newFake()
	require.NoError(t, db.up(t, t.Context(), cqlFiles("0001_a.cql", `-- aml models are nice
-- see aml:func x; // and aml func y
-- aml functions, aml:funcs and aml.manually are others
-- amlfunc x; -- aml, func; -- aml-func
-- -- aml:func x, which is not asked for any more
/* the aml:func of 0002 */
-- Aml.Func is new.
-- Aml.Backfill.Manual takes the place of old, which stays until was=old is taken off.
-- aml.Manual has another name.
INSERT '-- AML:func x';
-- aml`), Config{}))
	assert.Equal(t, []string{"INSERT '-- AML:func x'"}, db.sent)
}

// A misspelt directive is ignored in an applied file, which must not be edited, and refused in a partly applied file.
func TestMisspeltDirectivesOfAppliedFiles(t *testing.T) {
	db := newFake()
	text := "-- AML:func x\nCREATE a; CREATE b"
	fsys := cqlFiles("0001_a.cql", text)
	files, err := folder.Read(fsys)
	require.NoError(t, err)
	db.state.records[1] = newRecord(&files[0], 1, time.Now())
	require.ErrorContains(t, db.up(t, t.Context(), fsys, Config{}), "0001_a.cql:1:1: the comment looks like a directive")
	assert.Equal(t, []string{"1:1: the comment looks like a directive, but has another form: write -- aml:func x, or begin the comment with another word"}, reasons(files, db.state))

	db.state.records[1] = newRecord(&files[0], 2, time.Now())
	require.NoError(t, db.up(t, t.Context(), fsys, Config{}))
	assert.Equal(t, []string{""}, reasons(files, db.state))
	fsys["0002_b.cql"] = &fstest.MapFile{Data: []byte("CREATE c -- aml.backfill c")}
	require.ErrorContains(t, db.up(t, t.Context(), fsys, Config{}), "0002_b.cql:1:10: ")
	fsys["0002_b.cql"] = &fstest.MapFile{Data: []byte("CREATE c")}
	require.NoError(t, db.up(t, t.Context(), fsys, Config{}))
}

// reasons returns the reasons of a status.
func reasons(files []folder.File, s state) (all []string) {
	for _, f := range newReport(files, s).Files {
		all = append(all, f.Reason)
	}
	return all
}
