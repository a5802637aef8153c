package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/schemachange"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// inFolderNamed returns a folder with a name.
func inFolderNamed(t testing.TB, name string, files ...string) fstest.MapFS {
	t.Helper()
	fsys := cqlFiles(files...)
	fsys[folder.SumFile] = &fstest.MapFile{Data: []byte("name " + name + "\n")}
	sum, err := folder.Sum(fsys)
	require.NoError(t, err)
	fsys[folder.SumFile].Data = []byte(sum)
	return fsys
}

// A named folder has its records in a separate partition, and uses the one lock of the keyspace. If nothing is pending, a run sends one
// read.
func TestUpOfNamedFolders(t *testing.T) {
	db := newFake()
	shop := cqlFiles("0001_init.cql", "CREATE TABLE customers (id int PRIMARY KEY)")
	billing := inFolderNamed(t, "billing", "0001_init.cql", "CREATE TABLE invoices (id int PRIMARY KEY)", "0002_more.cql", "ALTER TABLE invoices ADD total int")
	require.NoError(t, db.up(t, t.Context(), shop, Config{}))
	db.took()
	var log bytes.Buffer
	var events []Event
	config := Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Progress: func(e Event) { events = append(events, e) }}
	require.NoError(t, db.up(t, t.Context(), billing, config))
	assert.Equal(t, "billing", events[0].Folder)
	assert.Contains(t, log.String(), "folder=billing")
	assert.Equal(t, []string{"read billing", "read", "read billing", "take", "serial read", "serial read billing", "fence", "serial read", "serial read billing", "claim"}, db.took()[:10])
	assert.Equal(t, int64(2), db.state.epoch)
	assert.Equal(t, int64(2), db.in("billing").epoch)
	assert.Len(t, db.in("billing").records, 2)
	assert.Len(t, db.state.records, 1)
	assert.Equal(t, owners{"": {"table customers": true}, "billing": {"table invoices": true}}, db.state.owners)

	db.took()
	require.NoError(t, db.up(t, t.Context(), billing, Config{}))
	assert.Equal(t, []string{"read billing"}, db.took())
	require.NoError(t, db.up(t, t.Context(), shop, Config{}))
	assert.Equal(t, []string{"read"}, db.took())
}

// All folders use one lock: a run of one folder waits for a run of another, and a function of one folder that calls Up for another is
// refused, because it would wait for itself.
func TestUpOfFoldersShareTheLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		billing := inFolderNamed(t, "billing", "0001_a.cql", "CREATE b")
		other := make(chan error)
		var waited atomic.Bool
		config := Config{Funcs: map[string]Func{"wait": func(ctx context.Context, _ driver.Session) error {
			assert.ErrorIs(t, db.up(t, ctx, billing, Config{}), ErrNested)
			go func() {
				other <- db.up(t, context.Background(), billing, Config{Progress: func(e Event) {
					if e.Kind == EventWaiting {
						waited.Store(true)
					}
				}})
			}()
			time.Sleep(time.Minute)
			assert.True(t, waited.Load())
			assert.Empty(t, db.sent)
			return nil
		}}}
		require.NoError(t, db.up(t, context.Background(), inFolderNamed(t, "shop", "0001_a.cql", "-- aml:func wait\nCREATE a"), config))
		require.NoError(t, <-other)
		assert.Equal(t, []string{"CREATE a", "CREATE b"}, db.sent)
	})
}

// A run that has lost the lock no longer writes to the partition of its folder once another run of the folder has begun.
func TestUpOfNamedFolderIsFenced(t *testing.T) {
	db := newFake()
	billing := inFolderNamed(t, "billing", "0001_a.cql", "CREATE a;\nCREATE b")
	taken := false
	db.fault = func(request string) fault {
		if request == "exec CREATE a" && !taken { // the first run is stopped here for longer than its lock lasts
			taken = true
			db.state.owner, db.state.epoch = "", 2
			db.in("billing").epoch = 2
		}
		return fine
	}
	require.NoError(t, db.up(t, t.Context(), billing, Config{}))
	assert.Equal(t, int64(3), db.in("billing").epoch)
	assert.Equal(t, int64(3), db.state.epoch)

	l := lock{epoch: 2, folder: "billing"}
	ok, err := db.finish(t.Context(), l, record{number: 9})
	require.NoError(t, err)
	assert.False(t, ok)

	// A fence that was raised in the meantime is noticed: the epoch of the run that now has the lock is greater.
	db.took()
	db.in("billing").epoch = 1
	lost := true
	db.fault = func(request string) fault {
		if request == "fence" && lost {
			lost = false
			db.in("billing").epoch = 3
		}
		return fine
	}
	more := inFolderNamed(t, "billing", "0001_a.cql", "CREATE a;\nCREATE b", "0002_c.cql", "CREATE c")
	require.NoError(t, db.up(t, t.Context(), more, Config{}))
	assert.Equal(t, int64(4), db.in("billing").epoch)
}

// A statement on an object of another folder is refused before anything is sent. After the object is dropped, any folder can create it.
func TestUpRefusesWhatAnotherFolderOwns(t *testing.T) {
	db := newFake()
	shop := []string{"0001_init.cql", "CREATE TYPE money (a int);\nCREATE TABLE customers (id int PRIMARY KEY);\nCREATE INDEX by_name ON customers (name);"}
	require.NoError(t, db.up(t, t.Context(), inFolderNamed(t, "shop", shop...), Config{}))
	db.took()
	sent := len(db.sent)
	for statement, want := range map[string]OwnerError{
		"CREATE TABLE IF NOT EXISTS customers (id int PRIMARY KEY)": {Object: "table customers", Create: true},
		"CREATE TYPE IF NOT EXISTS money (a int)":                   {Object: "type money", Create: true},
		"CREATE MATERIALIZED VIEW customers AS SELECT * FROM x":     {Object: "table customers", Create: true},
		"ALTER TYPE money ADD b int":                                {Object: "type money"},
		"ALTER TABLE customers WITH comment = 'mine'":               {Object: "table customers"},
		"DROP TABLE customers":                                      {Object: "table customers"},
		"CREATE INDEX ON customers (name)":                          {Object: "table customers"},
		"CREATE INDEX by_name ON other (name)":                      {Object: "index by_name", Create: true},
		"DROP INDEX by_name":                                        {Object: "index by_name"},
	} {
		err := db.up(t, t.Context(), inFolderNamed(t, "billing", "0001_a.cql", "CREATE TABLE x (id int PRIMARY KEY);\n"+statement), Config{})
		got, ok := errors.AsType[*OwnerError](err)
		require.True(t, ok, "%s: %v", statement, err)
		want.File, want.Line, want.Folder = "0001_a.cql", 2, "shop"
		assert.Equal(t, &want, got)
		assert.Len(t, db.sent, sent)
		assert.Empty(t, db.owner())
	}
	assert.NotContains(t, db.state.owners, "billing")
	err := db.up(t, t.Context(), cqlFiles("0001_a.cql", "CREATE TABLE customers (id int PRIMARY KEY)"), Config{})
	assert.EqualError(t, err, "migrate: 0001_a.cql:1: table customers belongs to folder shop; two folders cannot create it: rename it in one of them, "+
		"or write -- aml:shared for a type of the other folder. If this is that folder, its name is missing: restore the name in aml.sum "+
		"(aml migrate sum -name NAME), and embed aml.sum")

	shop = append(shop, "0002_drop.cql", "DROP TABLE customers")
	require.NoError(t, db.up(t, t.Context(), inFolderNamed(t, "shop", shop...), Config{}))
	assert.Equal(t, owned{"type money": true}, db.state.owners["shop"])
	require.NoError(t, db.up(t, t.Context(), inFolderNamed(t, "billing", "0001_a.cql", "CREATE TABLE customers (id int PRIMARY KEY)"), Config{}))
	assert.NotEqual(t, db.sent[1], db.sent[len(db.sent)-1], "the table of another folder has another id")
	assert.Contains(t, db.sent[len(db.sent)-1], schemachange.TableID("shop.customers.1@billing").String())
}

// Objects belong to a folder before their statements are sent: if a run dies in between, no other folder can create them.
func TestUpClaimsBeforeItSends(t *testing.T) {
	db := newFake()
	db.fault = func(request string) fault {
		if strings.HasPrefix(request, "exec CREATE TABLE b") {
			return refuse
		}
		return fine
	}
	require.Error(t, db.up(t, t.Context(), inFolderNamed(t, "shop", "0001_a.cql", "CREATE TABLE a (id int PRIMARY KEY);\nCREATE TABLE b (id int PRIMARY KEY)"), Config{}))
	db.fault = nil
	var owner *OwnerError
	require.ErrorAs(t, db.up(t, t.Context(), cqlFiles("0001_b.cql", "CREATE TABLE b (id int PRIMARY KEY)"), Config{}), &owner)
	require.Equal(t, "shop", owner.Folder)
}

// If the database is ahead of a release, the release keeps the objects that newer files have created.
func TestUpOfAnOlderReleaseKeepsWhatIsOwned(t *testing.T) {
	db := newFake()
	old := []string{"0001_a.cql", "CREATE TABLE a (id int PRIMARY KEY);\n-- aml:backfill a"}
	require.NoError(t, db.up(t, t.Context(), cqlFiles(append(old, "0002_b.cql", "CREATE TABLE b (id int PRIMARY KEY)")...), Config{NoBackfills: true}))
	want := maps.Clone(db.state.owners[""])
	fill := func(context.Context, driver.Session, string, func(string) error) error { return nil }
	require.NoError(t, db.up(t, t.Context(), cqlFiles(old...), Config{Backfills: map[string]Backfill{"a": fill}}))
	assert.Equal(t, owned{"table a": true, "table b": true}, want)
	assert.Equal(t, want, db.state.owners[""])
}

// Two folders with the same name, or without a name, are distinguished by their statements.
func TestUpRefusesTheRecordOfAnotherFolder(t *testing.T) {
	for _, name := range []string{"", "shop"} {
		db := newFake()
		make := func(files ...string) fstest.MapFS {
			if name == "" {
				return cqlFiles(files...)
			}
			return inFolderNamed(t, name, files...)
		}
		require.NoError(t, db.up(t, t.Context(), make("0001_init.cql", "CREATE TABLE a (id int PRIMARY KEY)", "0002_more.cql", "INSERT c"), Config{}))
		owns := maps.Clone(db.state.owners[name])
		err := db.up(t, t.Context(), make("0001_init.cql", "CREATE TABLE b (id int PRIMARY KEY)"), Config{})
		var fault *FolderError
		require.ErrorAs(t, err, &fault)
		assert.Equal(t, name, fault.Folder)
		assert.ErrorContains(t, err, "give the folder that is applied last a unique name, with aml migrate sum -name NAME")
		var changed *FileError
		require.ErrorAs(t, err, &changed, "what differs is said, too")
		assert.Equal(t, owns, db.state.owners[name])

		err = db.up(t, t.Context(), make("0001_init.cql", "CREATE TABLE b (id int PRIMARY KEY)", "0002_more.cql", "INSERT c"), Config{})
		require.ErrorAs(t, err, &changed)
		assert.False(t, errors.As(err, &fault), "a folder with a statement that is recorded is that folder, and was edited")
	}
}

// Two folders without a name, or with the same name, are different folders, regardless of the numbers of their files.
func TestUpRefusesTheRecordOfAFolderWithOtherNumbers(t *testing.T) {
	const table = "CREATE TABLE %s (id int PRIMARY KEY)"
	shop := []string{"0001_init.cql", fmt.Sprintf(table, "a"), "0003_more.cql", fmt.Sprintf(table, "b")}
	for _, name := range []string{"", "shop"} {
		for _, numbers := range [][]string{{"0001_init"}, {"0001_other"}, {"0002_init"}, {"0003_init"}, {"0004_init"}, {"0002_init", "0003_next"}, {"0004_init", "0005_next"}} {
			db := newFake()
			make := func(files ...string) fstest.MapFS {
				if name == "" {
					return cqlFiles(files...)
				}
				return inFolderNamed(t, name, files...)
			}
			require.NoError(t, db.up(t, t.Context(), make(shop...), Config{}))
			sent := len(db.sent)
			var files []string
			for i, n := range numbers {
				files = append(files, n+".cql", fmt.Sprintf(table, fmt.Sprint("other", i)))
			}
			err := db.up(t, t.Context(), make(files...), Config{})
			var other *FolderError
			require.ErrorAs(t, err, &other, "%v: %v", numbers, err)
			require.Equal(t, name, other.Folder)
			require.Len(t, db.sent, sent)
		}
		db := newFake()
		require.NoError(t, db.up(t, t.Context(), cqlFiles(shop...), Config{}))
		late := append(slices.Clone(shop), "0002_late.cql", fmt.Sprintf(table, "c"))
		var other *FolderError
		err := db.up(t, t.Context(), cqlFiles(late...), Config{})
		require.ErrorAs(t, err, new(*FileError))
		require.False(t, errors.As(err, &other), "a file that is inserted belongs to the folder")
	}
}

// Two folders that share only statements of types are different folders: their tables differ.
func TestUpRefusesTheRecordOfAFolderWithTheSameType(t *testing.T) {
	const money = "CREATE TYPE money (amount bigint)"
	for _, name := range []string{"", "shop"} {
		db := newFake()
		up := func(files ...string) error {
			if name == "" {
				return db.up(t, t.Context(), cqlFiles(files...), Config{})
			}
			return db.up(t, t.Context(), inFolderNamed(t, name, files...), Config{})
		}
		require.NoError(t, up("0001_init.cql", money+";\nCREATE TABLE customers (id int PRIMARY KEY)"))
		var other *FolderError
		err := up("0001_init.cql", money+";\nCREATE TABLE invoices (id int PRIMARY KEY)")
		require.ErrorAs(t, err, &other)
		assert.ErrorContains(t, err, "aml migrate sum -name NAME")

		err = up("0001_init.cql", money+";\nCREATE TABLE customers (id bigint PRIMARY KEY)")
		var changed *FileError
		require.ErrorAs(t, err, &changed)
		assert.False(t, errors.As(err, &other), "the same table: the file was edited")
	}
}

// A type of another folder must have the fields that this folder needs before any of its statements is sent.
func TestUpNeedsSharedTypes(t *testing.T) {
	db := newFake()
	billing := func(fields string) fstest.MapFS {
		return inFolderNamed(t, "billing", "0001_a.cql", "-- aml:shared money (old text) from example.com/shop\nCREATE a", "0002_b.cql", "-- aml:shared money ("+fields+") from example.com/shop\n")
	}
	refused := func(want string, fields string) {
		t.Helper()
		var e *SharedError
		err := db.up(t, t.Context(), billing(fields), Config{})
		require.ErrorAs(t, err, &e)
		assert.EqualError(t, err, want)
		assert.NotContains(t, db.sent, "CREATE a")
	}
	refused("migrate: the shared type money of example.com/shop does not exist: apply the migrations of example.com/shop first", "a int")
	shop := []string{"0001_init.cql", "CREATE TYPE money (a int)"}
	require.NoError(t, db.up(t, t.Context(), inFolderNamed(t, "shop", shop...), Config{}))
	db.schema[effectKey{effect.TypeObject, "shop", "money"}] = map[string]bool{"a": true}
	refused("migrate: the shared type money does not have the field b int yet: apply the migrations of example.com/shop (folder shop) first", "a int, b int")
	refused("migrate: type money has the field a int where this folder needs a text: build both packages from the same version of example.com/shop, "+
		"and run aml diff", "a text")
	require.NoError(t, db.up(t, t.Context(), billing("a int"), Config{}))

	db.schema[effectKey{effect.TypeObject, "shop", "money"}] = map[string]bool{"a": true, "b": true}
	files := []string{"0001_a.cql", "-- aml:shared money (a int) from example.com/shop\nCREATE x", "0002_b.cql", "CREATE y"}
	require.NoError(t, db.up(t, t.Context(), inFolderNamed(t, "other", files...), Config{}), "further fields are accepted")
	delete(db.schema, effectKey{effect.TypeObject, "shop", "money"})
	files = append(files, "0003_c.cql", "-- aml:unshared money\nCREATE z")
	require.NoError(t, db.up(t, t.Context(), inFolderNamed(t, "other", files...), Config{}), "what is not used any more may be dropped")
}

// One folder takes over the records of gocqlx; the others have none.
func TestOneFolderTakesOverFromGocqlx(t *testing.T) {
	db := newFake()
	db.before = appliedByGocqlx(first, second)
	billing := inFolderNamed(t, "billing", "0001_a.cql", "CREATE x")
	require.ErrorContains(t, db.up(t, t.Context(), billing, Config{}), "set Config.ImportGocqlx")
	require.ErrorContains(t, db.up(t, t.Context(), billing, Config{ImportGocqlx: true}), "the 2 migrations of gocqlx are not taken over: 0001_a.cql")
	assert.Empty(t, db.state.owners)
	shop := inFolderNamed(t, "shop", "0001_first.cql", first, "0002_second.cql", second)
	require.NoError(t, db.up(t, t.Context(), shop, Config{ImportGocqlx: true}))
	assert.Empty(t, db.sent)
	require.NoError(t, db.up(t, t.Context(), billing, Config{ImportGocqlx: true}))
	assert.Equal(t, []string{"CREATE x"}, db.sent)
}

// Without a Logger, a run reports only warnings, also if its folder has a name.
func TestDefaultLoggerWarns(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(warnings{slog.NewTextHandler(&log, nil)}).With("folder", "billing").WithGroup("run")
	logger.Info("applied")
	logger.Warn("left open")
	assert.NotContains(t, log.String(), "applied")
	assert.Contains(t, log.String(), "folder=billing")
}

// Everything that writes aml.sum keeps the name of the folder.
func TestFolderName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "migrations")
	require.NoError(t, folder.SetName(dir, "billing"))
	require.NoError(t, folder.Write(dir, "0001_a.cql", []string{"CREATE a"}))
	more, err := folder.New(dir, "more")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, more), []byte("CREATE b"), 0o666))
	require.NoError(t, folder.WriteSum(dir))
	sum := filepath.Join(dir, folder.SumFile)
	text, err := os.ReadFile(sum)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	assert.Equal(t, "name billing", lines[1])
	assert.Len(t, lines, 5)
	name, err := folder.Name(os.DirFS(dir))
	require.NoError(t, err)
	assert.Equal(t, "billing", name)
	_, err = folder.Read(os.DirFS(dir))
	require.NoError(t, err)

	for changed, want := range map[string]string{
		strings.Replace(string(text), "billing", "other", 1):                              "aml.sum: its first line does not match the others",
		strings.Join([]string{lines[0], lines[2], lines[1], lines[3], ""}, "\n"):          "the name of the folder is not in its second line",
		strings.Replace(string(text), "name billing\n", "", 1):                            "aml.sum: its first line does not match the others",
		strings.Replace(string(text), "name billing", "name billing\nname shop", 1):       "it has two names of the folder, billing and shop",
		strings.Replace(string(text), "name billing", "name Billing", 1):                  `"Billing" is not a valid name of a folder: use lower_snake_case`,
		strings.Replace(string(text), "name billing", "name migrations", 1):               `the name "migrations" is reserved`,
		strings.Replace(string(text), "name billing", "name "+strings.Repeat("a", 49), 1): "with at most 48 bytes",
	} {
		require.NoError(t, os.WriteFile(sum, []byte(changed), 0o644))
		_, err = folder.Read(os.DirFS(dir))
		assert.ErrorContains(t, err, want)
	}
	require.NoError(t, os.WriteFile(sum, text, 0o644))
	require.NoError(t, folder.SetName(dir, ""))
	name, err = folder.Name(os.DirFS(dir))
	require.NoError(t, err)
	assert.Empty(t, name)
	require.Error(t, folder.SetName(dir, "Billing"))
}
