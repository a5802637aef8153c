package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A backfill runs after all statements of all files, and continues from its last checkpoint.
func TestUpBackfills(t *testing.T) {
	db := newFake()
	db.run("CREATE TABLE cities (id int PRIMARY KEY)")
	fsys := cqlFiles("0001_a.cql", "-- aml:backfill names\nCREATE a;\n-- aml:backfill cities", "0002_b.cql", "CREATE b")
	broken := errors.New("broken")
	var calls []string
	names := func(_ context.Context, _ driver.Session, from string, save func(string) error) error {
		calls = append(calls, "names from "+from+" after "+db.sent[len(db.sent)-1])
		if from == "" {
			return errors.Join(save("k"), save("m"), broken)
		}
		return save("z")
	}
	config := Config{Backfills: map[string]Backfill{"names": names}}
	err := db.up(t, t.Context(), fsys, config)
	assert.EqualError(t, err, `migrate: 0001_a.cql: backfill of names, from checkpoint "m": broken`)
	assert.ErrorIs(t, err, broken)

	var log bytes.Buffer
	config.Logger = slog.New(slog.NewTextHandler(&log, nil))
	var events []Event
	config.Progress = func(e Event) { events = append(events, e) }
	require.NoError(t, db.up(t, t.Context(), fsys, config))
	assert.Equal(t, []string{"names from  after CREATE b", "names from m after CREATE b"}, calls)
	assert.Contains(t, log.String(), "backfill left to a run that has a function for it: set migrate.Config.Backfills to Backfills() of the generated package")
	assert.Contains(t, log.String(), "table=cities")
	assert.Equal(t, Event{Kind: EventApplied, Epoch: 2, File: "0001_a.cql", Total: 1, Statement: "-- aml:backfill names"}, events[len(events)-1])

	db.took()
	require.NoError(t, db.up(t, t.Context(), fsys, config))
	require.NoError(t, db.up(t, t.Context(), fsys, Config{}))
	assert.Equal(t, []string{"read", "read"}, db.took(), "what is skipped is not pending")

	config.Backfills["cities"] = func(_ context.Context, _ driver.Session, from string, _ func(string) error) error {
		calls = append(calls, "cities from "+from)
		return nil
	}
	require.NoError(t, db.up(t, t.Context(), fsys, config))
	require.NoError(t, db.up(t, t.Context(), fsys, config))
	assert.Equal(t, "cities from ", calls[2])
	assert.Len(t, calls, 3)
}

// A function of Config.Backfills that a file calls by -- aml:func runs in its place, and continues from its checkpoint. The same
// function can be called again.
func TestUpCallsAFunctionWithACheckpoint(t *testing.T) {
	db := newFake()
	fsys := cqlFiles("0001_a.cql", "CREATE a;\n-- aml:func cities__version\nCREATE b;\n-- aml:func cities__version\nCREATE c")
	assert.EqualError(t, db.up(t, t.Context(), fsys, Config{}), "migrate: function cities__version: is called by 0001_a.cql:2 and is in neither Config.Funcs nor Config.Backfills\n"+
		"migrate: function cities__version: is called by 0001_a.cql:4 and is in neither Config.Funcs nor Config.Backfills")

	broken := errors.New("broken")
	var calls []string
	config := Config{Backfills: map[string]Backfill{"cities__version": func(_ context.Context, _ driver.Session, from string, save func(string) error) error {
		calls = append(calls, "from "+from+" after "+db.sent[len(db.sent)-1])
		if len(calls) == 1 {
			return errors.Join(save("k"), broken)
		}
		return save("z")
	}}}
	err := db.up(t, t.Context(), fsys, config)
	failed, ok := errors.AsType[*StatementError](err)
	require.True(t, ok, err)
	assert.Equal(t, 2, failed.Number)
	assert.ErrorIs(t, err, broken)
	require.NoError(t, db.up(t, t.Context(), fsys, config))
	assert.Equal(t, []string{"from  after CREATE a", "from k after CREATE a", "from  after CREATE b"}, calls)
	assert.Equal(t, []string{"CREATE a", "CREATE b", "CREATE c"}, db.sent)
	require.NoError(t, db.up(t, t.Context(), fsys, config))
	assert.Len(t, calls, 3)
}

// A backfill that takes longer than LockTTL keeps the lock. If its lock is lost, save returns an error, and another run continues the
// backfill.
func TestUpBackfillAndTheLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		fsys := cqlFiles("0001_a.cql", "-- aml:backfill names")
		var checkpoints []string
		var lose atomic.Bool
		config := Config{Backfills: map[string]Backfill{"names": func(ctx context.Context, _ driver.Session, from string, save func(string) error) error {
			checkpoints = append(checkpoints, from)
			if from != "" {
				return nil
			}
			time.Sleep(time.Hour)
			require.NoError(t, save("half"))
			lose.Store(true)
			<-ctx.Done()
			db.mu.Lock()
			db.state.epoch, db.state.owner = db.state.epoch+1, ""
			db.mu.Unlock()
			assert.ErrorIs(t, save("stale"), errLockLost)
			lose.Store(false)
			return ctx.Err()
		}}}
		db.fault = func(request string) fault {
			if lose.Load() && request == "renew" {
				return before
			}
			return fine
		}
		require.NoError(t, db.up(t, context.Background(), fsys, config))
		assert.Equal(t, []string{"", "half"}, checkpoints)
	})
}

// A checkpoint that the server would refuse, or that could damage it, is refused before it is sent, and the last saved checkpoint remains.
func TestUpRefusesInvalidCheckpoints(t *testing.T) {
	for checkpoint, why := range map[string]string{
		strings.Repeat("x", maxCheckpoint+1): "has 65536 bytes",
		"a\xffb":                             "is not UTF-8",
		"ß\x00":                              "has NUL as byte 3",
	} {
		db := newFake()
		fsys := cqlFiles("0001_fill.cql", "-- aml:backfill cars")
		err := db.up(t, t.Context(), fsys, Config{Backfills: map[string]Backfill{
			"cars": func(_ context.Context, _ driver.Session, _ string, save func(string) error) error {
				return errors.Join(save("good"), save(checkpoint))
			},
		}})
		require.EqualError(t, err, `migrate: 0001_fill.cql: backfill of cars, from checkpoint "good": the checkpoint `+why+
			": a checkpoint is UTF-8 without NUL, of at most 65535 bytes; encode a key in hex, and save only the position from which to continue")
		assert.NotContains(t, db.took(), "save "+checkpoint)
		require.NoError(t, db.up(t, t.Context(), fsys, Config{Backfills: map[string]Backfill{
			"cars": func(_ context.Context, _ driver.Session, from string, save func(string) error) error {
				assert.Equal(t, "good", from)
				_ = save(checkpoint)
				return nil
			},
		}}))
		assert.Equal(t, fill{key: fillKey{1, "cars"}, name: "0001_fill.cql", from: "good", done: true}, db.state.fills[fillKey{1, "cars"}])
	}
}

// A backfill whose table a later file has dropped is skipped without a warning.
func TestUpSkipsTheBackfillOfATableThatIsGone(t *testing.T) {
	var log bytes.Buffer
	db := newFake()
	fsys := cqlFiles("0001_a.cql", "CREATE TABLE cities (id int PRIMARY KEY);\n-- aml:backfill cities", "0002_b.cql", "DROP TABLE cities")
	require.NoError(t, db.up(t, t.Context(), fsys, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}))
	assert.Contains(t, log.String(), `level=INFO msg="migrations: backfill skipped, its table does not exist" file=0001_a.cql table=cities`)
	assert.NotContains(t, log.String(), "level=WARN")
}

// skippedRows is the error of a backfill that has skipped rows.
type skippedRows struct{ rows int }

func (e skippedRows) Error() string { return fmt.Sprintf("rows skipped: %d; fix them", e.rows) }
func (e skippedRows) Skipped() int  { return e.rows }

// A backfill that skips rows does not end Up. It stays open, and the next Up calls it again after its checkpoint, until no such
// row is left. The statements and backfills after it are applied.
func TestUpLeavesABackfillOpenThatSkipsRows(t *testing.T) {
	db := newFake()
	fsys := cqlFiles("0001_a.cql", "-- aml:backfill names\nCREATE a;\n-- aml:backfill cities")
	rows := 2
	var calls []string
	var log bytes.Buffer
	var events []Event
	config := Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Progress: func(e Event) { events = append(events, e) }, Backfills: map[string]Backfill{
		"names": func(_ context.Context, _ driver.Session, from string, save func(string) error) error {
			if calls = append(calls, "names from "+from); len(calls) > 9 {
				return errors.New("it is called again and again")
			}
			require.NoError(t, save("end"))
			if rows > 0 {
				return fmt.Errorf("of names: %w", skippedRows{rows})
			}
			return nil
		},
		"cities": func(context.Context, driver.Session, string, func(string) error) error {
			calls = append(calls, "cities")
			return nil
		},
	}}
	require.NoError(t, db.up(t, t.Context(), fsys, config))
	assert.Equal(t, []string{"names from ", "cities"}, calls, "once, and those after it, too")
	assert.Contains(t, log.String(), `level=WARN msg="migrations: backfill stays open, the next run of Up continues it" file=0001_a.cql table=names rows=2 error="rows skipped: 2; fix them"`)
	assert.NotContains(t, log.String(), "left to a run that has a function for it")
	for _, e := range events {
		assert.False(t, e.Kind == EventApplied && e.Statement == "-- aml:backfill names", "it is not recorded as applied")
	}
	report := func() []BackfillStatus {
		files, err := load(fsys, nil)
		require.NoError(t, err)
		return newReport(files, db.state).Backfills
	}
	assert.Equal(t, []BackfillStatus{{File: "0001_a.cql", Table: "names", Checkpoint: "end", Refused: "rows skipped: 2; fix them"},
		{File: "0001_a.cql", Table: "cities", Done: true}}, report())

	rows = 1
	require.NoError(t, db.up(t, t.Context(), fsys, config))
	assert.Equal(t, "rows skipped: 1; fix them", report()[0].Refused)
	rows = 0
	require.NoError(t, db.up(t, t.Context(), fsys, config))
	require.NoError(t, db.up(t, t.Context(), fsys, config))
	assert.Equal(t, []string{"names from ", "cities", "names from end", "names from end"}, calls)
	assert.Equal(t, BackfillStatus{File: "0001_a.cql", Table: "names", Checkpoint: "end", Done: true}, report()[0])
}

// An error that is joined with the error about rows that were skipped ends the run.
func TestUpReportsAnErrorBesideRowsPassedOver(t *testing.T) {
	db := newFake()
	broken := errors.New("broken")
	config := Config{Backfills: map[string]Backfill{"names": func(context.Context, driver.Session, string, func(string) error) error {
		return errors.Join(skippedRows{1}, broken)
	}}}
	require.ErrorIs(t, db.up(t, t.Context(), cqlFiles("0001_a.cql", "-- aml:backfill names"), config), broken)
}

// A function of Config.Backfills that a statement calls and that skips rows is applied, so that the statements after it are, too. It
// is an open backfill, and later runs continue it. A second call in the same file reads all rows.
func TestUpLeavesAFunctionOpenThatSkipsRows(t *testing.T) {
	db := newFake()
	text := "CREATE a;\n-- aml:func cities__version\nCREATE b"
	var calls []string
	rows := 1
	config := Config{Backfills: map[string]Backfill{"cities__version": func(_ context.Context, _ driver.Session, from string, save func(string) error) error {
		if calls = append(calls, "from "+from); len(calls) > 9 {
			return errors.New("it is called again and again")
		}
		require.NoError(t, save("end"))
		if rows > 0 {
			return skippedRows{rows}
		}
		return nil
	}}}
	require.NoError(t, db.up(t, t.Context(), cqlFiles("0001_a.cql", text), config))
	assert.Equal(t, []string{"CREATE a", "CREATE b"}, db.sent)
	assert.Equal(t, []string{"from "}, calls)
	files, err := load(cqlFiles("0001_a.cql", text), nil)
	require.NoError(t, err)
	report := newReport(files, db.state)
	assert.Equal(t, []BackfillStatus{{File: "0001_a.cql", Table: "cities__version", Checkpoint: "end", Refused: "rows skipped: 1; fix them"}}, report.Backfills)
	report.Keyspace = "shop"
	require.NoError(t, report.skip(t.Context(), db, files, db.state.records))
	assert.Empty(t, report.Backfills[0].Skipped, "it is not the name of a table")
	rows = 0
	require.NoError(t, db.up(t, t.Context(), cqlFiles("0001_a.cql", text), config))
	require.NoError(t, db.up(t, t.Context(), cqlFiles("0001_a.cql", text), config))
	assert.Equal(t, []string{"from ", "from end"}, calls)

	db, calls, rows = newFake(), nil, 1
	require.NoError(t, db.up(t, t.Context(), cqlFiles("0001_a.cql", text+";\n-- aml:func cities__version"), config))
	assert.Equal(t, []string{"from ", "from "}, calls)
}

// A long backfill reports its progress, but not each of its checkpoints.
func TestUpReportsTheProgressOfABackfill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		var log bytes.Buffer
		filling := 0
		config := Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Progress: func(e Event) {
			if e.Kind == EventFilling {
				filling++
				assert.Equal(t, Event{Kind: EventFilling, Epoch: 1, File: "0001_a.cql", Total: e.Total, Statement: "-- aml:backfill names", Checkpoint: "people c000000000000000", Checkpoints: 10 * filling, Percent: 25}, e)
			}
		}, Backfills: map[string]Backfill{"names": func(_ context.Context, _ driver.Session, _ string, save func(string) error) error {
			for range 60 {
				time.Sleep(time.Second)
				require.NoError(t, save("people c000000000000000"))
			}
			return nil
		}}}
		require.NoError(t, db.up(t, t.Context(), cqlFiles("0001_a.cql", "-- aml:backfill names"), config))
		assert.Equal(t, 6, filling)
		assert.Contains(t, log.String(), `level=INFO msg="migration filling" percent=25 file=0001_a.cql table=names checkpoint="people c000000000000000" checkpoints=10 for=10s`)
	})
}
