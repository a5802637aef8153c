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

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestRandomRuns starts up to three runs at the same time, several times, and loses requests and answers. Statements take effect in order,
// a statement is repeated only if the run that sent it had no answer to it or to its record, and the run after the last fault completes.
func TestRandomRuns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		starts := rapid.SliceOfN(rapid.IntRange(0, 120_000), 1, 3).Draw(rt, "milliseconds at which runs start")
		faults := rapid.SliceOfN(rapid.SampledFrom([]fault{fine, fine, fine, fine, fine, before, behind, refuse}), 0, 60).
			Draw(rt, "faults")
		slow := rapid.IntRange(0, 70).Draw(rt, "seconds a statement takes")
		db := newFake()
		db.latency, db.slow = 7*time.Millisecond, time.Duration(slow)*time.Second
		repeats := 0
		db.fault = func(request string) fault {
			if len(faults) == 0 {
				return fine
			}
			next := faults[0]
			faults = faults[1:]
			if next != fine && !strings.Contains(request, "read") {
				repeats++
			}
			return next
		}
		var last error
		synctest.Test(t, func(t *testing.T) {
			last = startAt(t, db, shop(), starts)
		})
		require.NoError(rt, last)
		require.Equal(rt, []string{"CREATE a", "INSERT b", "ALTER c", "CREATE d"}, slices.Compact(slices.Clone(db.sent)))
		require.LessOrEqual(rt, len(db.sent)-4, repeats, "repeats in %q", db.sent)
		require.True(rt, db.state.records[1].whole() && db.state.records[2].whole())
	})
}

// startAt starts a run at each time and, once all have ended, another without
// faults and slowness.
func startAt(t *testing.T, db *fake, fsys fstest.MapFS, starts []int) error {
	var runs sync.WaitGroup
	for _, at := range starts {
		runs.Go(func() {
			time.Sleep(time.Duration(at) * time.Millisecond)
			_ = db.up(t, context.Background(), fsys, Config{})
		})
	}
	runs.Wait()
	db.fault, db.slow = nil, 0
	return db.up(t, context.Background(), fsys, Config{})
}
