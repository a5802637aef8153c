package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/effect"
)

const (
	first  = "CREATE a;\n-- then\nINSERT b;\nALTER c;\n"
	second = "CREATE d"
)

func shop() fstest.MapFS { return cqlFiles("0001_first.cql", first, "0002_second.cql", second) }

func TestUpAppliesInOrder(t *testing.T) {
	db := newFake()
	db.missing = true
	var events []Event
	var log bytes.Buffer
	require.NoError(t, db.up(t, t.Context(), shop(), Config{
		Logger:   slog.New(slog.NewTextHandler(&log, nil)),
		Progress: func(e Event) { events = append(events, e) },
	}))
	assert.Equal(t, []string{
		"read", "create", "read", "take", "serial read", "gocqlx", "claim", "agree",
		"begin", "exec CREATE a", "agree", "finish",
		"begin", "exec INSERT b", "finish",
		"begin", "exec ALTER c", "agree", "finish",
		"begin", "exec CREATE d", "agree", "finish",
		"release",
	}, db.took())
	assert.Len(t, events, 9)
	assert.Equal(t, Event{Kind: EventRunning, Epoch: 1, File: "0001_first.cql", Number: 1, Total: 3, Line: 1, Statement: "CREATE a"}, events[0])
	assert.Equal(t, Event{Kind: EventApplied, Epoch: 1, File: "0001_first.cql", Number: 2, Total: 3, Line: 3, Statement: "INSERT b"}, events[4])
	assert.Contains(t, log.String(), `msg="migration applied" file=0001_first.cql line=3 statement=2 of=3 text="INSERT b" epoch=1`)

	require.NoError(t, db.up(t, t.Context(), shop(), Config{}))
	assert.Equal(t, []string{"read"}, db.took(), "nothing pending")
}

func TestUpStopsAndGoesOn(t *testing.T) {
	db := newFake()
	db.fault = on("exec INSERT b", refuse)
	err := db.up(t, t.Context(), shop(), Config{})
	assert.EqualError(t, err, "0001_first.cql:3: statement 2 of 3: INSERT b: no such thing; "+
		"statement 1 is recorded as applied; statement 2 was not applied: fix the file from there on and run again; the run continues there")
	failure, ok := errors.AsType[*StatementError](err)
	require.True(t, ok)
	assert.Equal(t, &StatementError{File: "0001_first.cql", Number: 2, Total: 3, Line: 3,
		Statement: "INSERT b", Applied: 1, Err: errRefused}, failure)
	assert.Equal(t, "no such thing", db.state.records[1].failure)
	assert.Empty(t, db.state.records[1].sending)
	assert.Empty(t, db.owner(), "the lock is given up")
	db.fault = nil

	fixed := cqlFiles("0001_first.cql", "/* fixed */ CREATE a; INSERT bb; ALTER c", "0002_second.cql", second)
	require.NoError(t, db.up(t, t.Context(), fixed, Config{}))
	assert.Equal(t, []string{"CREATE a", "INSERT bb", "ALTER c", "CREATE d"}, db.sent)
	assert.Empty(t, db.state.records[1].failure)
	require.NoError(t, db.up(t, t.Context(), fixed, Config{}))
}

func TestUpGoesOnAfterTheRestWasTakenOut(t *testing.T) {
	db := newFake()
	db.fault = on("exec INSERT b", refuse)
	require.Error(t, db.up(t, t.Context(), shop(), Config{}))
	fixed := cqlFiles("0001_first.cql", "CREATE a", "0002_second.cql", second)
	require.NoError(t, db.up(t, t.Context(), fixed, Config{}))
	assert.True(t, db.state.records[1].whole())
	db.took()
	require.NoError(t, db.up(t, t.Context(), fixed, Config{}))
	assert.Equal(t, []string{"read"}, db.took())
}

// An empty file that is recorded as applied could no longer be edited.
func TestEmptyFilesAreRefused(t *testing.T) {
	for _, text := range []string{"", "-- nothing yet\n", ";;\n/* a */", "-- aml:allow MIG101 reason\n"} {
		const want = "0002_none.cql:1:1: the migration has no statement and no directive: write one, or delete the file"
		fsys := cqlFiles("0001_first.cql", first, "0002_none.cql", text)
		_, err := load(fsys, nil)
		assert.EqualError(t, err, want)
		_, err = folder.Sum(fsys)
		assert.EqualError(t, err, want)
		_, err = folder.Read(fsys)
		assert.EqualError(t, err, want)
	}
	for _, text := range []string{"-- aml:manual audit", "-- aml:backfill t", "-- CALL gocqlx;\n"} {
		_, err := folder.Sum(cqlFiles("0001_some.cql", text))
		assert.NoError(t, err, text)
	}
}

func TestUpRefuses(t *testing.T) {
	applied := newFake()
	three := cqlFiles("0001_first.cql", first, "0003_third.cql", second, "0005_fifth.cql", "CREATE e")
	require.NoError(t, applied.up(t, t.Context(), three, Config{}))
	for name, c := range map[string]struct {
		change func(fstest.MapFS)
		want   string
	}{
		"edited": {func(f fstest.MapFS) { f["0001_first.cql"].Data = []byte("CREATE a; INSERT x; ALTER c") },
			"0001_first.cql: statement 2 was applied, and has been edited or removed since"},
		"shortened": {func(f fstest.MapFS) { f["0001_first.cql"].Data = []byte("CREATE a") },
			"0001_first.cql: statement 2 was applied, and has been edited or removed since"},
		"lengthened": {func(f fstest.MapFS) { f["0001_first.cql"].Data = []byte(first + "CREATE x") },
			"0001_first.cql: the text differs from the one that was applied, although no applied statement does"},
		"comment": {func(f fstest.MapFS) { f["0001_first.cql"].Data = []byte(first + "-- x") },
			"0001_first.cql: the text differs from the one that was applied, although no applied statement does"},
		"renamed": {func(f fstest.MapFS) {
			f["0003_drei.cql"] = f["0003_third.cql"]
			delete(f, "0003_third.cql")
		},
			"0003_drei.cql: was applied under the name 0003_third.cql"},
		"missing":      {func(f fstest.MapFS) { delete(f, "0003_third.cql") }, "0003_third.cql: was applied and is missing"},
		"first gone":   {func(f fstest.MapFS) { delete(f, "0001_first.cql") }, "0001_first.cql: was applied and is missing"},
		"newest gone":  {func(f fstest.MapFS) { delete(f, "0005_fifth.cql") }, ""},
		"line ends":    {func(f fstest.MapFS) { f["0001_first.cql"].Data = []byte(strings.ReplaceAll(first, "\n", "\r\n")) }, ""},
		"put between":  {func(f fstest.MapFS) { f["0004_x.cql"] = f["0001_first.cql"] }, "0004_x.cql: comes before 0005_fifth.cql, which is already applied"},
		"all newer":    {func(f fstest.MapFS) { clear(f); f["0001_first.cql"] = &fstest.MapFile{Data: []byte(first)} }, ""},
		"other branch": {func(f fstest.MapFS) { clear(f); f["0002_x.cql"] = &fstest.MapFile{Data: []byte(second)} }, "0002_x.cql: comes before 0005_fifth.cql"},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := cqlFiles("0001_first.cql", first, "0003_third.cql", second, "0005_fifth.cql", "CREATE e")
			c.change(fsys)
			sent := len(applied.sent)
			err := applied.up(t, t.Context(), fsys, Config{})
			assert.Len(t, applied.sent, sent)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "migrate: "+c.want)
		})
	}
}

func TestUpRefusesAllAtOnce(t *testing.T) {
	db := newFake()
	require.NoError(t, db.up(t, t.Context(), shop(), Config{}))
	err := db.up(t, t.Context(), cqlFiles("0001_first.cql", second, "0002_x.cql", second, "0003_y.cql", second), Config{})
	assert.Len(t, strings.Split(err.Error(), "\n"), 2)
}

// In TestUpBelievesNoRefusalOfAPlainRead the first read misses a record, as it can for replicas of another data centre.
func TestUpBelievesNoRefusalOfAPlainRead(t *testing.T) {
	db := newFake()
	require.NoError(t, db.up(t, t.Context(), shop(), Config{}))
	late := db.state.records[1]
	delete(db.state.records, 1)
	db.fault = func(request string) fault {
		if request == "serial read" {
			db.state.records[1] = late
		}
		return fine
	}
	db.took()
	require.NoError(t, db.up(t, t.Context(), shop(), Config{}))
	assert.Equal(t, []string{"read", "serial read"}, db.took())
}

func TestUpWaitsForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.latency, db.slow = time.Millisecond, 3*time.Second
		errs := make([]error, 5)
		waited := make([]int, len(errs))
		var runs sync.WaitGroup
		for i := range errs {
			runs.Go(func() {
				errs[i] = db.up(t, context.Background(), shop(), Config{Progress: func(e Event) {
					if e.Kind == EventWaiting {
						waited[i]++
					}
				}})
			})
		}
		runs.Wait()
		assert.NoError(t, errors.Join(errs...))
		assert.Equal(t, []string{"CREATE a", "INSERT b", "ALTER c", "CREATE d"}, db.sent)
		assert.Equal(t, 1, slices.Max(waited), "told once, not for each look")
	})
}

func TestUpWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.state.owner, db.expires = "other", time.Now().Add(time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := db.up(t, ctx, shop(), Config{})
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "migrate: wait for another run at 0001_first.cql: run other has the lock, which expires in 59m")
	})
}

// TestUpTakesOverFromAKilledRun kills a run between a statement and its record.
func TestUpTakesOverFromAKilledRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		const ttl = 8 * time.Second
		db.state.epoch, db.state.owner, db.expires = 7, "dead", time.Now().Add(ttl)
		begin := time.Now()
		require.NoError(t, db.up(t, t.Context(), shop(), Config{}))
		assert.GreaterOrEqual(t, time.Since(begin), ttl)
		assert.Less(t, time.Since(begin), ttl+2*longestPause)
		assert.Equal(t, int64(8), db.state.epoch)
	})
}

func TestUpStatementOfUnknownOutcome(t *testing.T) {
	for _, lost := range []fault{before, behind} {
		synctest.Test(t, func(t *testing.T) {
			db := newFake()
			db.fault = once("exec ALTER c", lost)
			err := db.up(t, t.Context(), shop(), Config{})
			failure, ok := errors.AsType[*StatementError](err)
			require.True(t, ok)
			assert.True(t, failure.Unknown)
			assert.ErrorIs(t, err, errLost)
			assert.ErrorContains(t, err, "statements 1 to 2 are recorded as applied; statement 3 may have been applied")

			begin := time.Now()
			require.NoError(t, db.up(t, t.Context(), shop(), Config{}))
			assert.GreaterOrEqual(t, time.Since(begin), defaultLock, "nobody runs into a statement that may still land")
			assert.Equal(t, "CREATE d", db.sent[len(db.sent)-1])
		})
	}
}

func TestUpRecordsOfUnknownOutcome(t *testing.T) {
	for _, request := range []string{"take", "begin", "finish", "release"} {
		for _, lost := range []fault{before, behind} {
			synctest.Test(t, func(t *testing.T) {
				db := newFake()
				db.fault = once(request, lost)
				begin := time.Now()
				require.NoError(t, db.up(t, t.Context(), shop(), Config{}))
				assert.Less(t, time.Since(begin), time.Second, "no waiting for a claim of one's own")
				assert.Equal(t, []string{"CREATE a", "INSERT b", "ALTER c", "CREATE d"}, db.sent)
			})
		}
	}
}

func TestUpRecordLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.fault = on("finish", before)
		err := db.up(t, t.Context(), shop(), Config{})
		assert.ErrorContains(t, err, "0001_first.cql:1: statement 1 of 3: CREATE a: applied, but not recorded: migrate: write aml_migrations: no answer")
		assert.ErrorContains(t, err, "may have been applied")
	})
}

// TestUpLockExpires stops a process between a statement and its record for longer than its lock lasts. In the meantime another process
// completes, or begins.
func TestUpLockExpires(t *testing.T) {
	for _, slow := range []time.Duration{0, 10 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			db := newFake()
			var runs sync.WaitGroup
			late := errors.New("not set")
			var stopped atomic.Bool
			db.fault = func(request string) fault {
				if stopped.Load() && request == "renew" {
					return before
				}
				return fine
			}
			db.agreed = func(context.Context) error {
				if len(db.sent) == 0 || !stopped.CompareAndSwap(false, true) {
					return nil
				}
				time.Sleep(time.Hour)
				db.slow = slow
				runs.Go(func() { late = db.up(t, context.Background(), shop(), Config{}) })
				time.Sleep(time.Second)
				return nil
			}
			var log bytes.Buffer
			assert.NoError(t, db.up(t, context.Background(), shop(), Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}))
			runs.Wait()
			assert.NoError(t, late)
			assert.Contains(t, log.String(), "the lock was lost")
			assert.Equal(t, []string{"CREATE a", "CREATE a", "INSERT b", "ALTER c", "CREATE d"}, db.sent)
		})
	}
}

func TestUpNoAgreement(t *testing.T) {
	db := newFake()
	down := errors.New("two versions")
	db.agreed = func(context.Context) error {
		if len(db.sent) == 1 {
			return fmt.Errorf("the nodes do not agree on the schema: %w", down)
		}
		return nil
	}
	err := db.up(t, t.Context(), shop(), Config{})
	assert.EqualError(t, err, "0001_first.cql:1: statement 1 of 3: CREATE a: applied, but the nodes do not agree on the schema: "+
		"two versions; statement 1 is recorded as applied; the next run waits until they agree and continues after it")
	assert.ErrorIs(t, err, down)

	err = db.up(t, t.Context(), shop(), Config{})
	assert.EqualError(t, err, "migrate: before 0001_first.cql: the nodes do not agree on the schema: two versions")
	assert.Equal(t, []string{"CREATE a"}, db.sent, "nothing is piled on a schema in dispute")
	db.agreed = nil
	require.NoError(t, db.up(t, t.Context(), shop(), Config{}))
	assert.Equal(t, []string{"CREATE a", "INSERT b", "ALTER c", "CREATE d"}, db.sent)
}

func TestUpRecordsAlthoughItsContextEnded(t *testing.T) {
	db := newFake()
	ctx, cancel := context.WithCancel(t.Context())
	db.agreed = func(ctx context.Context) error {
		if len(db.sent) == 1 {
			cancel()
			return ctx.Err()
		}
		return nil
	}
	assert.ErrorIs(t, db.up(t, ctx, shop(), Config{}), context.Canceled)
	assert.Equal(t, 1, db.state.records[1].count())
}

// A table of another program that has the name of the table of records is reported at once by everything that reads the records. A table that a
// node is creating is not reported.
func TestForeignTableOfRecords(t *testing.T) {
	for _, c := range recordColumns {
		require.Regexp(t, `[(,\s]`+c+` (text|int|bigint|frozen|timestamp)`, createTable)
	}
	columns := effectKey{effect.ColumnObject, "shop", "aml_migrations"}
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			columns []string
			lacks   string
		}{{[]string{"id", "name"}, "folder"}, {[]string{"folder", "epoch", "id"}, "owner"}, {slices.Clone(recordColumns[:len(recordColumns)-1]), "owns"}} {
			db := newFake()
			db.missing, db.foreign = true, true
			db.schema[columns] = map[string]bool{}
			for _, name := range c.columns {
				db.schema[columns][name] = true
			}
			began := time.Now()
			want := &ForeignTableError{Keyspace: "shop", Column: c.lacks}
			var have *ForeignTableError
			for _, fsys := range []fs.FS{shop(), inFolderNamed(t, "billing", "0001_a.cql", "CREATE x")} {
				require.ErrorAs(t, db.up(t, t.Context(), fsys, Config{}), &have)
				require.Equal(t, want, have)
			}
			_, err := readIfThere(t.Context(), db, partition, "shop")
			require.Equal(t, want, err)
			require.Zero(t, time.Since(began))
			require.Empty(t, db.sent)
		}
		db := newFake()
		db.missing, db.foreign = true, true
		time.AfterFunc(time.Second, func() {
			db.mu.Lock()
			defer db.mu.Unlock()
			db.foreign = false
		})
		require.NoError(t, db.up(t, t.Context(), shop(), Config{}))
	})
}

// on adds a fault to every request of a kind.
func on(request string, f fault) func(string) fault {
	return func(r string) fault {
		if r == request {
			return f
		}
		return fine
	}
}

// once adds a fault to the first request of a kind.
func once(request string, f fault) func(string) fault {
	done := false
	return func(r string) fault {
		if done || r != request {
			return fine
		}
		done = true
		return f
	}
}

// If a function panics and the program continues, other runs wait no longer than LockTTL.
func TestUpPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		fsys := cqlFiles("0001_a.cql", "CREATE a;\n-- aml:func boom")
		assert.PanicsWithValue(t, "boom", func() {
			_ = db.up(t, t.Context(), fsys, Config{Funcs: map[string]Func{"boom": func(context.Context, driver.Session) error { panic("boom") }}})
		})
		began := time.Now()
		require.NoError(t, db.up(t, t.Context(), fsys, Config{Funcs: map[string]Func{"boom": nothing}}))
		assert.Less(t, time.Since(began), 30*time.Second)
	})
}
