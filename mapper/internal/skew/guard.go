package skew

import (
	"sync/atomic"
	"time"
)

const (
	// Interval is the time between two checks of a clock that is right.
	Interval = time.Minute
	// Recheck is the time between two checks of a clock that was found wrong.
	Recheck = time.Second
	// Findings is how many checks must find the clock wrong before writes fail.
	Findings = 3
)

// Guard decides when the clock of a client is checked, and whether writes go on. It has no goroutine and no timer: each write
// calls [Guard.Begin], and makes a check beside itself when that returns true. Its methods can be called by several
// goroutines.
type Guard struct {
	limit time.Duration
	timer func() time.Time // measures the time between checks; does not jump
	clock func() time.Time // the clock that is checked
	start time.Time        // of the timer

	checking atomic.Bool
	last     atomic.Int64 // when the last check ended, by the timer
	wait     atomic.Int64 // from there to the next one
	base     atomic.Int64 // how far the clock was ahead of the timer then
	wrong    int          // findings in turn; belongs to the check that runs
	failing  atomic.Pointer[Finding]
}

// NewGuard returns a guard of a clock that has just been checked. A limit below zero accepts every clock.
func NewGuard(limit time.Duration, timer, clock func() time.Time) *Guard {
	g := &Guard{limit: limit, timer: timer, clock: clock, start: timer()}
	g.wait.Store(int64(Interval))
	g.base.Store(g.ahead(0))
	return g
}

func (g *Guard) elapsed() int64 { return int64(g.timer().Sub(g.start)) }

// ahead returns how far the clock is ahead of the timer. Its zero is arbitrary: only differences count.
func (g *Guard) ahead(elapsed int64) int64 {
	if g.limit < 0 {
		return 0
	}
	return g.clock().UnixNano() - elapsed
}

// Begin reports whether a check is due and none runs. Whoever gets true must call [Guard.End].
//
// A check is due a minute after the last one; a second after it when that found the clock wrong, or when the clock has
// jumped by more than the limit since.
func (g *Guard) Begin() bool {
	if !g.due() || !g.checking.CompareAndSwap(false, true) {
		return false
	}
	if g.due() {
		return true
	}
	g.checking.Store(false) // another check ended in between
	return false
}

func (g *Guard) due() bool {
	now := g.elapsed()
	since := now - g.last.Load()
	if since >= g.wait.Load() {
		return true
	}
	return g.limit >= 0 && since >= int64(Recheck) && time.Duration(g.ahead(now)-g.base.Load()).Abs() > g.limit
}

// End takes the finding of the check that [Guard.Begin] began, and returns its verdict.
//
// Three wrong findings in turn make writes fail. A right one, or nodes that differ from each other, let them go on. Without an
// answer nothing changes.
func (g *Guard) End(f Finding) Verdict {
	v := Right
	if g.limit >= 0 {
		v = f.Verdict(g.limit)
	}
	switch v {
	case Wrong:
		if g.wrong = min(g.wrong+1, Findings); g.wrong == Findings {
			g.failing.Store(&f)
		}
	case Right, Disputed:
		g.wrong = 0
		g.failing.Store(nil)
	}
	wait := Interval
	if g.wrong > 0 {
		wait = Recheck
	}
	now := g.elapsed()
	g.base.Store(g.ahead(now))
	g.wait.Store(int64(wait))
	g.last.Store(now)
	g.checking.Store(false)
	return v
}

// Failing returns the finding for which writes fail; nil while they go on.
func (g *Guard) Failing() *Finding { return g.failing.Load() }
