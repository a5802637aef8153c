package migrate

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/migrate/folder"
)

// A statement that takes longer than LockTTL does not lose the lock, because the run renews it.
func TestRunRenewsTheLockDuringAStatement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.slow = 5 * time.Minute
		var runs sync.WaitGroup
		for range 2 {
			runs.Go(func() {
				assert.NoError(t, db.up(t, context.Background(), garage(), Config{DDLTimeout: time.Hour}))
			})
		}
		runs.Wait()
		assert.Equal(t, int64(1), db.state.epoch)
		assert.Equal(t, sentStatements(t, garage()), db.sent)
	})
}

// With the defaults another run takes over within 30 s of a kill, also in the middle of a statement of minutes. It waits for
// agreement and looks at the schema before it sends the statement that the killed run may have sent.
func TestRunIsTakenOverWithin30Seconds(t *testing.T) {
	for _, landed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			db := newFake()
			statement := sentStatements(t, garage())[0]
			l := lock{epoch: 1, owner: "killed", ttl: defaultLock, folder: partition}
			db.state.epoch = 1
			_, err := db.begin(t.Context(), l, record{number: 1, name: "0001_init.cql"}, folder.Hash("CREATE TYPE address (street text)"))
			require.NoError(t, err)
			if landed {
				_ = db.exec(t.Context(), statement, nil)
			}
			db.took()
			killed, tookOver := time.Now(), time.Time{}
			require.NoError(t, db.up(t, t.Context(), garage(), Config{DDLTimeout: time.Hour, Progress: func(e Event) {
				if e.Kind == EventRunning {
					tookOver = time.Now()
				}
			}}))
			assert.Less(t, tookOver.Sub(killed), 30*time.Second)
			assert.GreaterOrEqual(t, tookOver.Sub(killed), defaultLock)
			requests := afterTake(db.took())
			assert.Equal(t, []string{"take", "serial read", "gocqlx", "claim", "agree", "names"}, requests[:6])
			assert.Equal(t, landed, requests[6] != "begin", "%q", requests[6])
			assert.Equal(t, sentStatements(t, garage()), db.sent)
		})
	}
}

// afterTake returns the requests since the lock was taken.
func afterTake(requests []string) []string {
	for i, r := range requests {
		if r == "take" {
			return requests[i:]
		}
	}
	return nil
}

// A run whose requests to renew fail, or get no answer, cancels what it is doing after 15 s. Another run can take the lock
// 10 s later, not earlier.
func TestRunThatCannotRenewStops(t *testing.T) {
	for _, unanswered := range []fault{before, hang} {
		synctest.Test(t, func(t *testing.T) {
			db := newFake()
			cut := time.Now().Add(time.Minute + time.Second)
			db.fault = func(request string) fault {
				if request == "renew" && time.Now().After(cut) && db.state.epoch == 1 {
					return unanswered
				}
				return fine
			}
			fsys := cqlFiles("0001_a.cql", "-- aml:func wait\nINSERT b")
			var stopped time.Time
			wait := func(ctx context.Context, _ driver.Session) error {
				if stopped.IsZero() {
					<-ctx.Done()
					stopped = time.Now()
				}
				return ctx.Err()
			}
			var epochs []int64
			var at []time.Time
			require.NoError(t, db.up(t, context.Background(), fsys, Config{Funcs: map[string]Func{"wait": wait}, Progress: func(e Event) {
				if e.Kind == EventRunning {
					epochs, at = append(epochs, e.Epoch), append(at, time.Now())
				}
			}}))
			renewed := at[0].Add(time.Minute)
			assert.Equal(t, 15*time.Second, stopped.Sub(renewed))
			assert.Equal(t, []int64{1, 2}, epochs)
			assert.GreaterOrEqual(t, at[1].Sub(renewed), defaultLock)
			assert.Less(t, at[1].Sub(renewed), 30*time.Second)
			assert.Equal(t, []string{"INSERT b"}, db.sent)
		})
	}
}

// The statement of a run that stops is cancelled, too.
func TestRunThatCannotRenewCancelsItsStatement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.slow = time.Hour
		db.fault = func(request string) fault {
			if request == "renew" {
				return before
			}
			return fine
		}
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		time.AfterFunc(16*time.Second, cancel)
		err := db.up(t, ctx, shop(), Config{DDLTimeout: 2 * time.Hour})
		assert.ErrorIs(t, err, context.Canceled)
		assert.ErrorContains(t, err, "wait for another run", "it has stopped and waits")
		assert.Less(t, time.Since(began), 17*time.Second)
		assert.Empty(t, db.sent)
	})
}

// A run whose context ends while a statement is in flight waits for the answer: it records the statement and releases the lock, so that the
// next run continues at once. Without an answer the lock stays until it expires, because the statement may still take effect.
func TestRunThatEndsWaitsForItsStatement(t *testing.T) {
	for _, statement := range []string{"INSERT a", "CREATE a", "UPDATE a", "ALTER a"} {
		for _, c := range []struct {
			slow     time.Duration
			answered bool
		}{{lastAnswer - time.Millisecond, true}, {time.Hour, false}} {
			synctest.Test(t, func(t *testing.T) {
				db := newFake()
				db.slow = c.slow
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Millisecond/2, cancel)
				began := time.Now()
				fsys := cqlFiles("0001_first.cql", statement+";\nINSERT b")
				err := db.up(t, ctx, fsys, Config{DDLTimeout: 2 * time.Hour})
				require.ErrorIs(t, err, context.Canceled)
				assert.LessOrEqual(t, time.Since(began), lastAnswer+time.Millisecond)
				var failed *StatementError
				require.ErrorAs(t, err, &failed)
				assert.Equal(t, !c.answered, failed.Unknown)
				assert.Equal(t, c.answered, db.owner() == "", "the lock of %s after %s", statement, c.slow)
				if c.answered {
					assert.Equal(t, []string{statement}, db.sent)
					assert.Equal(t, 1, db.state.records[1].count())
					db.slow = 0
					began = time.Now()
					require.NoError(t, db.up(t, t.Context(), fsys, Config{}))
					assert.Less(t, time.Since(began), time.Second)
					assert.Equal(t, []string{statement, "INSERT b"}, db.sent)
				}
			})
		}
	}
}
