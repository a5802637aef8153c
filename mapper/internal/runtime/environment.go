package runtime

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// environment contains what a call depends on in addition to the database and the clock.
type environment struct {
	serial gocql.SerialConsistency // of conditional statements and of reads that see them in flight
	lease  time.Duration           // how long a call waits for another claim in flight
	id     func() plan.Attempt
	pause  func(ctx context.Context, attempt int) bool // waits after a conflict, and reports whether to make another attempt
	resend func(ctx context.Context, attempt int) bool // waits after a failed request, and reports whether to make another attempt
	since  func() time.Duration                        // the time of a monotonic clock
	seed   func() []byte                               // returns the seed of the hashes of a run of Reconcile; nil: it compares each row
	inTurn bool                                        // a call sends one request at a time, except for those of together

	together func(n int, do func(i int)) // calls do for the numbers below n at the same time, and waits for all
}

// newEnvironment returns the environment of the calls on s: that of s, or that of the process.
func newEnvironment(s store.Store, c mapper.Config) environment {
	env := environment{serial: c.Serial, lease: c.Lease}
	if own, ok := s.(store.Environment); ok {
		env.inTurn = true
		env.id, env.pause, env.resend, env.since, env.seed = own.NewID, own.Pause, own.Pause, own.Since, own.SumSeed
		env.together = own.Together
		return env
	}
	env.together = together
	start := time.Now()
	env.id = func() plan.Attempt { return plan.Attempt(gocql.MustRandomUUID()) }
	env.pause, env.resend = pauseJitter, pause
	env.seed = func() []byte { return gocql.MustRandomUUID().Bytes() }
	env.since = func() time.Duration { return time.Since(start) }
	return env
}

// maxTogether is the number of requests that together sends at the same time.
const maxTogether = 32

// together calls do for the numbers below n, at most maxTogether at the same time, and waits for all.
func together(n int, do func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(n, maxTogether) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// parallel returns how many of n requests a call sends at a time.
func (e *environment) parallel(n int) int {
	if e.inTurn {
		return 1
	}
	return n
}
