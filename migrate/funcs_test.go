package migrate

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/migrating"
	"github.com/cassaml/cassaml/mapper/driver"
)

// Up returns the error of a function, even if it looks like an error that ends a run.
func TestUpReportsTheErrorOfAFunction(t *testing.T) {
	for _, cause := range []error{
		context.Canceled, context.DeadlineExceeded,
		errors.New("of another cluster"),
		&StatementError{File: "0009_other.cql", Err: errors.New("of another keyspace")},
		&unagreedError{errors.New("of another keyspace")},
	} {
		db := newFake()
		calls := 0
		fsys := cqlFiles("0001_call.cql", "-- aml:func f")
		err := db.up(t, t.Context(), fsys, Config{Funcs: map[string]Func{"f": func(ctx context.Context, _ driver.Session) error {
			own, cancel := context.WithCancel(ctx)
			cancel()
			if calls++; calls == 1 {
				return errors.Join(cause, own.Err())
			}
			return nil
		}}})
		failure, ok := errors.AsType[*StatementError](err)
		require.True(t, ok)
		assert.Equal(t, "0001_call.cql", failure.File)
		assert.EqualError(t, failure.Err, cause.Error()+"\ncontext canceled")
		assert.Zero(t, db.state.records[1].count(), "it has not done its work")
		require.NoError(t, db.up(t, t.Context(), fsys, Config{Funcs: map[string]Func{"f": nothing}}))
	}
}

// If the context ends while a run waits for agreement, the error contains its cause instead of the state of the nodes.
func TestUpNamesTheEndOfItsContext(t *testing.T) {
	why := errors.New("the pod is moved")
	ctx, cancel := context.WithCancelCause(t.Context())
	db := newFake()
	db.agreed = func(ctx context.Context) error {
		if ctx.Err() != nil {
			return errors.New("no node answered")
		}
		return nil
	}
	fsys := cqlFiles("0001_call.cql", "-- aml:func f")
	err := db.up(t, ctx, fsys, Config{Funcs: map[string]Func{"f": func(context.Context, driver.Session) error {
		cancel(why)
		return nil
	}}})
	assert.EqualError(t, err, "0001_call.cql:1: statement 1 of 1: -- aml:func f: applied, but the run ended before the nodes agreed: "+
		"the pod is moved; statement 1 is recorded as applied; the next run waits until they agree and continues after it")
	assert.ErrorIs(t, err, why)
	assert.Equal(t, 1, db.state.records[1].count())
}

// As long as the nodes do not agree, the schema does not show whether a statement without an answer was executed: it is not recorded.
func TestUpDoesNotRecordAStatementOfUnknownOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.fault = once("exec CREATE TYPE a (n int)", before)
		db.agreed = func(context.Context) error {
			if len(db.requests) > 10 {
				return errors.New("two versions")
			}
			return nil
		}
		fsys := cqlFiles("0001_a.cql", "CREATE TYPE a (n int)")
		err := db.up(t, t.Context(), fsys, Config{})
		failure, ok := errors.AsType[*StatementError](err)
		require.True(t, ok)
		assert.True(t, failure.Unknown)
		assert.ErrorContains(t, err, "two versions")
		assert.Zero(t, db.state.records[1].count())
		db.agreed = nil
		require.NoError(t, db.up(t, t.Context(), fsys, Config{}))
		assert.Equal(t, []string{"CREATE TYPE a (n int)"}, db.sent)
	})
}

// A function that calls Up in the keyspace of its run would wait for the run, which waits for the function.
func TestUpRefusesToWaitForItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		fsys := cqlFiles("0001_call.cql", "-- aml:func f")
		var config Config
		config.Funcs = map[string]Func{"f": func(ctx context.Context, _ driver.Session) error {
			ctx, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			return db.up(t, ctx, fsys, config)
		}}
		assert.ErrorIs(t, db.up(t, t.Context(), fsys, config), ErrNested)
		config.Funcs["f"] = nothing
		require.NoError(t, db.up(t, t.Context(), fsys, config))
	})
}

func nothing(context.Context, driver.Session) error { return nil }

func TestFuncsThatDoNotFit(t *testing.T) {
	for key, want := range map[string]string{
		"0001_b":  "0001_b: has the same number as 0001_a.cql",
		"1_b":     "1_b.cql: is not named NNNN_lower_snake_name.cql",
		"unknown": "function unknown: no file calls it with -- aml:func unknown, and it is not named NNNN_name",
	} {
		_, err := load(cqlFiles("0001_a.cql", "CREATE a"), map[string]Func{key: nothing})
		assert.ErrorContains(t, err, "migrate: "+want)
	}
	_, err := load(cqlFiles("0001_a.cql", "-- aml:func f"), map[string]Func{"f": nil})
	assert.EqualError(t, err, "migrate: function f: is nil")
}

// Functions are executed in order, and recorded after they have returned nil.
func TestUpCallsFuncs(t *testing.T) {
	db := newFake()
	var called []string
	fail := errors.New("half way")
	funcs := map[string]Func{
		"0002_split_names": func(context.Context, driver.Session) error {
			called = append(called, "0002 after "+db.sent[len(db.sent)-1])
			return fail
		},
		"join": func(context.Context, driver.Session) error {
			called = append(called, "join after "+db.sent[len(db.sent)-1])
			return nil
		},
	}
	fsys := cqlFiles("0001_a.cql", "CREATE a;\n-- aml:func join\nCREATE b", "0003_c.cql", "CREATE c")
	err := db.up(t, t.Context(), fsys, Config{Funcs: funcs})
	assert.EqualError(t, err, "0002_split_names: half way; it is not recorded as applied; "+
		"the function may have done part of its work, and the next run calls it again")
	assert.Empty(t, db.owner(), "nobody waits")
	fail = nil
	require.NoError(t, db.up(t, t.Context(), fsys, Config{Funcs: funcs}))
	require.NoError(t, db.up(t, t.Context(), fsys, Config{Funcs: funcs}))
	assert.Equal(t, []string{"join after CREATE a", "0002 after CREATE b", "0002 after CREATE b"}, called)
	assert.Equal(t, []string{"CREATE a", "CREATE b", "CREATE c"}, db.sent)

	older := map[string]Func{"join": nothing}
	assert.EqualError(t, db.up(t, t.Context(), fsys, Config{Funcs: older}), "migrate: 0002_split_names: was applied and is missing; restore the file")
}

func TestUpNeedsTheFuncsItCalls(t *testing.T) {
	db := newFake()
	fsys := cqlFiles("0001_a.cql", "CREATE a;\n-- aml:func join")
	assert.EqualError(t, db.up(t, t.Context(), fsys, Config{}), "migrate: function join: is called by 0001_a.cql:2 and is in neither Config.Funcs nor Config.Backfills")
	assert.Empty(t, db.sent, "not even the statement before it")
	require.NoError(t, db.up(t, t.Context(), fsys, Config{Funcs: map[string]Func{"join": nothing}}))
	require.NoError(t, db.up(t, t.Context(), fsys, Config{}), "an applied one is not needed any more")
}

func TestLoadWithoutFiles(t *testing.T) {
	for dir, fsys := range map[string]fs.FS{
		"migrations":      cqlFiles("migrations/0001_a.cql", "", "embed.go", ""),
		"shop/migrations": cqlFiles("shop/migrations/0001_a.cql", ""),
	} {
		_, err := load(fsys, nil)
		assert.ErrorIs(t, err, ErrNoFiles)
		assert.EqualError(t, err, "migrate: the root of the file system has no NNNN_name.cql file, but its folder "+dir+
			` has: call migrate.Up with the result of fs.Sub(f, "`+dir+`")`)
	}
	_, err := load(cqlFiles("cql/schema.cql", ""), nil)
	assert.Equal(t, ErrNoFiles, err)
	_, err = load(fs.FS(noFolder{}), nil)
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// If the root of an embed.FS has no migrations, the hint is not hidden by functions: neither by one that no file calls, nor by a migration
// in Go, which would be applied alone.
func TestLoadWithoutFilesAndWithFuncs(t *testing.T) {
	const hint = `migrate: the root of the file system has no NNNN_name.cql file, but its folder migrations has: call migrate.Up with the result of fs.Sub(f, "migrations")`
	embedded := cqlFiles("migrations/0001_a.cql", "CREATE a")
	for _, name := range []string{"copy_a_to_b", "0002_split"} {
		_, err := load(embedded, map[string]Func{name: nothing})
		assert.EqualError(t, err, hint, name)
	}
	_, err := load(cqlFiles("readme.txt", ""), map[string]Func{"copy_a_to_b": nothing})
	assert.Equal(t, ErrNoFiles, err)
	files, err := load(cqlFiles("readme.txt", ""), map[string]Func{"0002_split": nothing})
	require.NoError(t, err)
	assert.Len(t, files, 1)
}

// Without functions for backfills, a pending file that requests one is refused before anything is applied. An applied file is not, nor one
// whose table is dropped later.
func TestUpNeedsBackfills(t *testing.T) {
	db := newFake()
	fsys := cqlFiles("0001_a.cql", "CREATE a;\n-- aml:backfill cities")
	const refused = "migrate: 0001_a.cql requests a backfill of cities, and Config.Backfills is nil: set it to Backfills() of the generated package, " +
		"or set Config.NoBackfills if another program runs the backfills"
	assert.EqualError(t, db.up(t, t.Context(), fsys, Config{}), refused)
	assert.Empty(t, db.sent)
	assert.NotContains(t, db.took(), "take")
	require.NoError(t, db.up(t, t.Context(), fsys, Config{NoBackfills: true}))
	require.NoError(t, db.up(t, t.Context(), fsys, Config{}))
	require.NoError(t, newFake().up(t, t.Context(), fsys, Config{Backfills: map[string]Backfill{}}), "a model without redundant tables")
	require.NoError(t, newFake().up(t, t.Context(), cqlFiles("0001_a.cql", "-- aml:backfill cities", "0002_b.cql", "DROP TABLE IF EXISTS cities"), Config{}))
	assert.EqualError(t, newFake().up(t, t.Context(), cqlFiles("0001_a.cql", "-- aml:backfill cities", "0002_b.cql", "DROP TABLE towns"), Config{}), refused)
}

// Functions and backfills get the serial consistency of the services.
func TestUpPassesTheSerialConsistency(t *testing.T) {
	var levels []driver.Consistency
	note := func(ctx context.Context, _ driver.Session) error {
		levels = append(levels, migrating.Serial(ctx))
		return nil
	}
	fill := func(ctx context.Context, s driver.Session, _ string, _ func(string) error) error { return note(ctx, s) }
	config := Config{SerialConsistency: driver.LocalSerial, Funcs: map[string]Func{"f": note, "0003_go": note},
		Backfills: map[string]Backfill{"cities": fill, "cities__version": fill}}
	files := cqlFiles("0001_a.cql", "CREATE cities;\n-- aml:func f\n-- aml:func cities__version\n-- aml:backfill cities")
	require.NoError(t, newFake().up(t, t.Context(), files, config))
	assert.Equal(t, slices.Repeat([]driver.Consistency{driver.LocalSerial}, 4), levels)
	assert.Zero(t, migrating.Serial(t.Context()))
}

// A function gets the files that are applied after it, and Up knows the recorded files that the program does not have.
func TestUpKnowsTheOtherFiles(t *testing.T) {
	db := newFake()
	var later [][]string
	note := func(ctx context.Context, _ driver.Session) error {
		later = append(later, migrating.LaterFiles(ctx))
		return nil
	}
	texts := []string{"0001_a.cql", "-- aml:func f\nCREATE a", "0002_b.cql", "CREATE b", "0004_c.cql", "-- aml:func f"}
	config := Config{Funcs: map[string]Func{"f": note, "0003_go": note}}
	require.NoError(t, db.up(t, t.Context(), cqlFiles(texts...), config))
	assert.Equal(t, [][]string{{"0002_b.cql", "0003_go", "0004_c.cql"}, {"0004_c.cql"}, nil}, later)
	assert.Empty(t, migrating.LaterFiles(t.Context()))

	files, err := load(cqlFiles(texts[:4]...), map[string]Func{"f": note})
	require.NoError(t, err)
	older := newRun(db, "shop", "", files, Config{})
	require.NoError(t, older.up(t.Context()))
	assert.Equal(t, []string{"0003_go", "0004_c.cql"}, older.unknown())
}

type noFolder struct{}

func (noFolder) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func cqlFiles(namesAndTexts ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(namesAndTexts); i += 2 {
		fsys[namesAndTexts[i]] = &fstest.MapFile{Data: []byte(namesAndTexts[i+1])}
	}
	return fsys
}

// The error of a function can have any bytes, of any number; its recorded text is valid.
func TestFailuresAreRecordedAsText(t *testing.T) {
	long := strings.Repeat("é", maxFailure)
	for given, want := range map[string]string{
		"no such thing":      "no such thing",
		"key \xff\xfe\x00 x": "key \uFFFD\uFFFD x",
		"a\x00b":             "a\uFFFDb",
		long:                 long[:maxFailure-4] + "…",
		"x" + long:           "x" + long[:maxFailure-4] + "…",
	} {
		db := newFake()
		broken := func(context.Context, driver.Session) error { return errors.New(given) }
		err := db.up(t, t.Context(), cqlFiles("0001_a.cql", "-- aml:func x"), Config{Funcs: map[string]Func{"x": broken}})
		require.ErrorContains(t, err, given, "the caller gets all of it")
		got := db.state.records[1].failure
		assert.Equal(t, want, got)
		assert.True(t, utf8.ValidString(got))
		assert.LessOrEqual(t, len(got), maxFailure)
	}
}
