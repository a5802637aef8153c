package call

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// newEnvironment returns the environment of the calls on s: its own one, or the environment of the process.
func newEnvironment(s store.Store) store.Environment {
	if own, ok := s.(store.Environment); ok {
		return own
	}
	return process{time.Now()}
}

// process is the environment of the calls of a program.
type process struct{ start time.Time }

// NewID returns a random identifier.
func (process) NewID() plan.Attempt { return plan.Attempt(uuid.New()) }

// Pause waits for a random time before a call that has met a concurrent writer starts over.
func (process) Pause(ctx context.Context, attempt int) bool { return pauseJitter(ctx, attempt) }

// Resend waits before a failed request is sent again.
func (process) Resend(ctx context.Context, attempt int) bool { return pause(ctx, attempt) }

// Elapsed returns the time since the store was opened.
func (p process) Elapsed() time.Duration { return time.Since(p.start) }

// SumSeed returns a random seed.
func (process) SumSeed() []byte {
	seed := uuid.New()
	return seed[:]
}

// Parallel returns n.
func (process) Parallel(n int) int { return n }

// maxConcurrent is the number of requests that RunAll sends at the same time.
const maxConcurrent = 32

// RunAll calls do for the numbers below n, at most maxConcurrent at the same time, and waits for all. If a callback of the caller, such as a
// tracer, ends one of its goroutines, RunAll also ends the goroutine of the caller: calls that were not made have no result.
func (process) RunAll(n int, do func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	var exited atomic.Bool
	for range min(n, maxConcurrent) {
		wg.Go(func() {
			ended := false
			defer func() {
				if !ended {
					exited.Store(true)
				}
			}()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
			ended = true
		})
	}
	if wg.Wait(); exited.Load() {
		runtime.Goexit()
	}
}

// oneAtATime reports whether a call sends one request at a time.
func (db *DB) oneAtATime() bool { return db.Env.Parallel(2) == 1 }
