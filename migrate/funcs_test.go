package migrate

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func nothing(context.Context, gocqlx.Session) error { return nil }

func TestFuncsThatDoNotFit(t *testing.T) {
	for key, want := range map[string]string{
		"0001_b":  "0001_b: has the number of 0001_a.cql",
		"1_b":     "1_b.cql: is not named NNNN_lower_snake_name.cql",
		"unknown": "function unknown: no file calls it with -- aml:func unknown, and it is not named NNNN_name",
	} {
		_, err := load(cqlFiles("0001_a.cql", "CREATE a"), map[string]Func{key: nothing})
		assert.ErrorContains(t, err, "migrate: "+want)
	}
	_, err := load(cqlFiles("0001_a.cql", "-- aml:func f"), map[string]Func{"f": nil})
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
	fsys := cqlFiles("0001_a.cql", "CREATE a;\n-- aml:func join\nCREATE b", "0003_c.cql", "CREATE c")
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
	fsys := cqlFiles("0001_a.cql", "CREATE a;\n-- aml:func join")
	assert.EqualError(t, db.up(t, t.Context(), fsys, Config{}), "migrate: function join: is called by 0001_a.cql:2 and is not in Config.Funcs")
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
		assert.EqualError(t, err, "migrate: the root of the file system holds no NNNN_name.cql file, and its folder "+dir+
			` does: give migrate.Up what fs.Sub(f, "`+dir+`") returns`)
	}
	_, err := load(cqlFiles("cql/schema.cql", ""), nil)
	assert.Equal(t, ErrNoFiles, err)
	_, err = load(fs.FS(noFolder{}), nil)
	assert.ErrorIs(t, err, fs.ErrNotExist)
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
