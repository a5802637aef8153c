package migrate

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A comment that was meant to be a directive is refused at its line, with what to write.
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
		require.EqualError(t, err, "0001_a.cql:2:3: the comment reads like a directive and is none: write "+meant+", or begin it with another word", comment)
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

// A file that is applied cannot be fixed, so that it is left alone; one that is half applied can.
func TestMisspeltDirectivesOfAppliedFiles(t *testing.T) {
	db := newFake()
	text := "-- AML:func x\nCREATE a; CREATE b"
	fsys := cqlFiles("0001_a.cql", text)
	files, err := folder.Read(fsys)
	require.NoError(t, err)
	db.state.records[1] = after(&files[0], 1, time.Now())
	require.ErrorContains(t, db.up(t, t.Context(), fsys, Config{}), "0001_a.cql:1:1: the comment reads like a directive")
	assert.Equal(t, []string{"1:1: the comment reads like a directive and is none: write -- aml:func x, or begin it with another word"}, reasons(files, db.state))

	db.state.records[1] = after(&files[0], 2, time.Now())
	require.NoError(t, db.up(t, t.Context(), fsys, Config{}))
	assert.Equal(t, []string{""}, reasons(files, db.state))
	fsys["0002_b.cql"] = &fstest.MapFile{Data: []byte("CREATE c -- aml.backfill c")}
	require.ErrorContains(t, db.up(t, t.Context(), fsys, Config{}), "0002_b.cql:1:10: ")
	fsys["0002_b.cql"] = &fstest.MapFile{Data: []byte("CREATE c")}
	require.NoError(t, db.up(t, t.Context(), fsys, Config{}))
}

// reasons lists what status says beside the states.
func reasons(files []folder.File, s state) (all []string) {
	for _, f := range reportOf(files, s).Files {
		all = append(all, f.Reason)
	}
	return all
}
