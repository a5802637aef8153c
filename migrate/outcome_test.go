package migrate

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/driver"
	"pgregory.net/rapid"

	"github.com/cassaml/cassaml/migrate/internal/effect"
)

// garage has a statement with each kind of effect; none may be executed twice.
func garage() fstest.MapFS {
	return cqlFiles("0001_init.cql", "CREATE TYPE address (street text); CREATE TABLE cars (id int PRIMARY KEY, color text)",
		"0002_grow.cql", "ALTER TYPE address ADD zip text; ALTER TABLE cars DROP color; CREATE INDEX i ON cars (id); DROP TABLE cars",
		"0003_guarded.cql", `ALTER TYPE IF EXISTS address ADD city text; ALTER TYPE IF EXISTS address RENAME city TO town;
CREATE TABLE vans (id int PRIMARY KEY, color text); ALTER TABLE IF EXISTS vans ADD seats int; ALTER TABLE IF EXISTS vans DROP color`)
}

// sentStatements returns the statements that a run sends for a folder, with ids for CREATE TABLE.
func sentStatements(t require.TestingT, fsys fstest.MapFS) []string {
	files, err := load(fsys, nil)
	require.NoError(t, err)
	var all []string
	for i := range files {
		for n := range files[i].Statements {
			all = append(all, withID(step{file: &files[i], record: record{applied: &n}}, "shop", ""))
		}
	}
	return all
}

// A statement without an answer is sent again only if the schema does not show it.
func TestUpLooksWhatBecameOfAStatement(t *testing.T) {
	for _, statement := range sentStatements(t, garage()) {
		for _, lost := range []fault{before, behind} {
			synctest.Test(t, func(t *testing.T) {
				db := newFake()
				db.fault = once("exec "+statement, lost)
				require.NoError(t, db.up(t, t.Context(), garage(), Config{}))
				assert.Equal(t, sentStatements(t, garage()), db.sent)
			})
		}
	}
}

// If a run was killed between a statement and its record, the next run looks at the schema first.
func TestUpGoesOnBehindAKilledRun(t *testing.T) {
	for n, statement := range sentStatements(t, garage()) {
		for _, landed := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				db := newFake()
				killed := false
				db.fault = func(request string) fault {
					switch {
					case killed:
						return before
					case request != "exec "+statement:
						return fine
					}
					killed = true
					if landed {
						return behind
					}
					return before
				}
				require.Error(t, db.up(t, t.Context(), garage(), Config{}))
				assert.Len(t, db.sent, n+map[bool]int{true: 1}[landed])
				db.fault = nil
				require.NoError(t, db.up(t, t.Context(), garage(), Config{}))
				assert.Equal(t, sentStatements(t, garage()), db.sent)
			})
		}
	}
}

// IF EXISTS of an object that does not exist has no effect, so nothing is missing, whatever the answer.
func TestUpGoesOnWithoutWhatIsNotThere(t *testing.T) {
	const first, second = "ALTER TABLE IF EXISTS nothing ADD a int", "ALTER TYPE IF EXISTS none RENAME a TO b"
	for _, lost := range []fault{fine, before, behind} {
		synctest.Test(t, func(t *testing.T) {
			db := newFake()
			db.fault = once("exec "+first, lost)
			require.NoError(t, db.up(t, t.Context(), cqlFiles("0001_a.cql", first+";"+second), Config{}))
			assert.True(t, db.state.records[1].whole())
			assert.Empty(t, db.schema[effectKey{effect.ColumnObject, "shop", "nothing"}])
			assert.Empty(t, db.schema[effectKey{effect.TypeObject, "shop", "none"}])
		})
	}
}

// An effect that was there before does not show that a statement was executed: the server decides, also after a run that died before it
// could record the refusal.
func TestUpDoesNotTakeAnothersTableForItsOwn(t *testing.T) {
	db := newFake()
	db.run("CREATE TYPE address (other text)")
	db.fault = func(request string) fault {
		switch request {
		case "exec CREATE TYPE address (street text)":
			return refuse
		case "fail":
			return before
		}
		return fine
	}
	for range 2 {
		assert.ErrorContains(t, db.up(t, t.Context(), garage(), Config{}), "no such thing")
	}
}

// In TestUpDoesNotWaitForTheDriver the driver delays an answer, as it does while a node is down.
func TestUpDoesNotWaitForTheDriver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.keeps = true
		begin := time.Now()
		require.NoError(t, db.up(t, t.Context(), garage(), Config{}))
		assert.Less(t, time.Since(begin), time.Duration(len(db.sent))*2*time.Second)
		assert.Equal(t, sentStatements(t, garage()), db.sent)
	})
}

func TestUpWaitsUntilAnIndexAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.building = 50
		require.NoError(t, db.up(t, t.Context(), garage(), Config{}))
		requests := db.took()
		assert.Equal(t, 51, strings.Count(strings.Join(requests, "\n"), "answers"))
		last := len(requests) - 1 - slices.Index(reversed(requests), "answers")
		assert.Equal(t, "finish", requests[last+1], "an index counts as applied when it answers")
	})
}

func reversed(s []string) []string {
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

func TestUpReportsAStatementWithoutEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.numb = true
		assert.ErrorIs(t, db.up(t, t.Context(), garage(), Config{}), errNoEffect)
	})
}

// TestRandomSchema is TestRandomRuns with statements whose effect the schema shows: none takes effect twice, whichever requests are lost.
func TestRandomSchema(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		starts := rapid.SliceOfN(rapid.IntRange(0, 200_000), 1, 3).Draw(rt, "milliseconds at which runs start")
		faults := rapid.SliceOfN(rapid.SampledFrom([]fault{fine, fine, fine, fine, before, behind}), 0, 100).Draw(rt, "faults")
		db := newFake()
		db.latency = 7 * time.Millisecond
		db.fault = func(string) fault {
			if len(faults) == 0 {
				return fine
			}
			next := faults[0]
			faults = faults[1:]
			return next
		}
		var last error
		synctest.Test(t, func(t *testing.T) { last = startAt(t, db, garage(), starts) })
		require.NoError(rt, last)
		require.Equal(rt, sentStatements(rt, garage()), db.sent)
	})
}

// Of many concurrent runs, one applies the files, and the others wait for it.
func TestUpManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.latency, db.slow = time.Millisecond, 5*time.Second
		var runs sync.WaitGroup
		worked := make([]bool, 20)
		for i := range worked {
			runs.Go(func() {
				assert.NoError(t, db.up(t, context.Background(), garage(), Config{Progress: func(e Event) { worked[i] = worked[i] || e.Kind == EventRunning }}))
			})
		}
		runs.Wait()
		assert.Equal(t, sentStatements(t, garage()), db.sent)
		assert.Equal(t, int64(1), db.state.epoch, "one of them")
		assert.Len(t, slices.DeleteFunc(worked, func(w bool) bool { return !w }), 1)
	})
}

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []Config{{DDLTimeout: -1}, {DDLTimeout: 1 << 62}} {
		_, err := c.withDefaults()
		assert.ErrorContains(t, err, ": set 0 for 1m0s, or a time of at most 24h0m0s")
	}
	for _, c := range []Config{{LockTTL: -time.Second}, {LockTTL: 4 * time.Second}, {LockTTL: 25 * time.Hour}} {
		_, err := c.withDefaults()
		assert.ErrorContains(t, err, ": set 0 for 25s, or a time between 5s and 24h0m0s")
	}
	_, invalid := Config{SerialConsistency: driver.Quorum}.withDefaults()
	assert.EqualError(t, invalid, "migrate: SerialConsistency is QUORUM: set 0, mapper.Serial or mapper.LocalSerial")
	c, err := Config{DDLTimeout: time.Hour, SerialConsistency: driver.LocalSerial}.withDefaults()
	require.NoError(t, err)
	assert.Equal(t, 25*time.Second, c.LockTTL, "a statement may take longer than the lock lasts")
}
