package migrate

import (
	"context"
	"errors"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func nothing(context.Context, gocqlx.Session) error { return nil }

func TestDirectivesAreRead(t *testing.T) {
	files, err := load(folder("0001_a.cql", "-- aml:allow AML301 it is small; really\nCREATE a;\n-- aml:func  split_names \r\nCREATE b; --aml:backfill names\n"+
		"-- aml:backfill orders\n-- aml:manual audit\n/* -- aml:nonsense */ -- about aml:nothing"), map[string]Func{"split_names": nothing})
	require.NoError(t, err)
	var steps []string
	for i, s := range files[0].statements {
		assert.Equal(t, i+1, s.Number)
		steps = append(steps, s.Text)
	}
	assert.Equal(t, []string{"CREATE a", "-- aml:func  split_names", "CREATE b"}, steps)
	assert.Equal(t, 3, files[0].statements[1].Line)
	assert.Equal(t, []string{"names", "orders"}, files[0].backfills)
	assert.Equal(t, Directive{Verb: "manual", Argument: "audit", Text: "-- aml:manual audit", Line: 6, Offset: 130}, files[0].directives[4])
}

func TestDirectivesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"CREATE a;\n-- aml:fnuc x":                     "0001_a.cql:2:1: unknown directive aml:fnuc; there are aml:func, aml:backfill, aml:optional, aml:manual, aml:shared, aml:unshared and aml:allow",
		"-- aml:manual":                                `0001_a.cql:1:1: aml:manual takes one name, not ""`,
		"-- aml:optional x\nINSERT b;":                 "0001_a.cql:1:1: aml:optional is not followed by a statement with IF: put it directly before the conditional statement that may be left unapplied",
		"INSERT b IF NOT EXISTS; -- aml:optional x":    "0001_a.cql:1:25: aml:optional is not followed by a statement with IF: put it directly before the conditional statement that may be left unapplied",
		"UPDATE b\n-- aml:optional\nIF c":              "0001_a.cql:2:1: aml:optional stands inside a statement; put it before or behind",
		"-- aml:func":                                  `0001_a.cql:1:1: aml:func takes one name, not ""`,
		"-- aml:backfill a b":                          `0001_a.cql:1:1: aml:backfill takes one name, not "a b"`,
		"CREATE\n -- aml:func f\n a":                   "0001_a.cql:2:2: aml:func stands inside a statement; put it before or behind",
		"BEGIN BATCH a;\n-- aml:func f\n APPLY BATCH":  "0001_a.cql:2:1: aml:func stands inside a statement; put it before or behind",
		"-- aml:backfill a\n-- aml:backfill a\nCREATE": "0001_a.cql:2:1: asks for the backfill of a a second time",
	} {
		_, err := load(folder("0001_a.cql", text), nil)
		assert.EqualError(t, err, want)
		assert.IsType(t, &SyntaxError{}, unjoin(err))
	}
}

func TestFuncsThatDoNotFit(t *testing.T) {
	for key, want := range map[string]string{
		"0001_b":  "0001_b: has the number of 0001_a.cql",
		"1_b":     "1_b.cql: is not named NNNN_lower_snake_name.cql",
		"unknown": "function unknown: no file calls it with -- aml:func unknown, and it is not named NNNN_name",
	} {
		_, err := load(folder("0001_a.cql", "CREATE a"), map[string]Func{key: nothing})
		assert.ErrorContains(t, err, "migrate: "+want)
	}
	_, err := load(folder("0001_a.cql", "-- aml:func f"), map[string]Func{"f": nil})
	assert.EqualError(t, err, "migrate: function f: is nil")
}

// Functions are steps in their order, and recorded once they have returned nil.
func TestUpCallsFuncs(t *testing.T) {
	db := newFake()
	var called []string
	fail := errors.New("half way")
	funcs := map[string]Func{
		"0002_split_names": func(context.Context, gocqlx.Session) error {
			called = append(called, "0002 after "+db.sent[len(db.sent)-1])
			return fail
		},
		"join": func(context.Context, gocqlx.Session) error {
			called = append(called, "join after "+db.sent[len(db.sent)-1])
			return nil
		},
	}
	fsys := folder("0001_a.cql", "CREATE a;\n-- aml:func join\nCREATE b", "0003_c.cql", "CREATE c")
	err := db.up(t, t.Context(), fsys, Config{Funcs: funcs})
	assert.EqualError(t, err, "0002_split_names: half way; it is not recorded as applied; "+
		"the function may have done a part of its work, and the next run calls it again")
	assert.Empty(t, db.owner(), "nobody waits")
	fail = nil
	require.NoError(t, db.up(t, t.Context(), fsys, Config{Funcs: funcs}))
	require.NoError(t, db.up(t, t.Context(), fsys, Config{Funcs: funcs}))
	assert.Equal(t, []string{"join after CREATE a", "0002 after CREATE b", "0002 after CREATE b"}, called)
	assert.Equal(t, []string{"CREATE a", "CREATE b", "CREATE c"}, db.sent)

	older := map[string]Func{"join": nothing}
	assert.EqualError(t, db.up(t, t.Context(), fsys, Config{Funcs: older}), "migrate: 0002_split_names: was applied and is missing; put the file back")
}

func TestUpNeedsTheFuncsItCalls(t *testing.T) {
	db := newFake()
	fsys := folder("0001_a.cql", "CREATE a;\n-- aml:func join")
	assert.EqualError(t, db.up(t, t.Context(), fsys, Config{}), "migrate: function join: is called by 0001_a.cql:2 and is not in Config.Funcs")
	assert.Empty(t, db.sent, "not even the statement before it")
	require.NoError(t, db.up(t, t.Context(), fsys, Config{Funcs: map[string]Func{"join": nothing}}))
	require.NoError(t, db.up(t, t.Context(), fsys, Config{}), "an applied one is not needed any more")
}
