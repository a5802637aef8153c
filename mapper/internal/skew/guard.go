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
	// Findings is the number of consecutive checks that must find the clock wrong before writes fail.
	Findings = 3
)

// Guard decides when to check the clock of a client, and whether to refuse writes. It has no goroutine and no timer: each write
// calls [Guard.Begin], and starts a concurrent check if it returns true. The methods can be called by several goroutines.
type Guard struct {
	limit time.Duration
	timer func() time.Time // measures the time between checks; monotonic
	clock func() time.Time // the clock that is checked
	start time.Time        // the first reading of the timer

	checking atomic.Bool
	last     atomic.Int64 // when the last check ended, by the timer
	wait     atomic.Int64 // the time between the last check and the next one
	base     atomic.Int64 // how far the clock was ahead of the timer at the last check that a server answered
	wrong    int          // consecutive wrong findings; used only by the running check
	failing  atomic.Pointer[Finding]
}

// NewGuard returns a guard for a clock that has just been checked. With a negative limit it accepts every clock.
func NewGuard(limit time.Duration, timer, clock func() time.Time) *Guard {
	g := &Guard{limit: limit, timer: timer, clock: clock, start: timer()}
	g.wait.Store(int64(Interval))
	g.base.Store(g.offset(0))
	return g
}

func (g *Guard) elapsed() int64 { return int64(g.timer().Sub(g.start)) }

// offset returns how far the clock is ahead of the timer. Only differences of results are meaningful.
func (g *Guard) offset(elapsed int64) int64 {
	if g.limit < 0 {
		return 0
	}
	return g.clock().UnixNano() - elapsed
}

// Begin reports whether a check is due and no other check is running. If it returns true, the caller must call [Guard.End].
//
// A check is due one minute after the last one. It is due after one second if the last one found the clock wrong, or if the
// clock has jumped by more than the limit since the last one that a server answered.
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
	return g.limit >= 0 && since >= int64(Recheck) && time.Duration(g.offset(now)-g.base.Load()).Abs() > g.limit
}

// End records the finding of the check that [Guard.Begin] began, and returns its verdict.
//
// After three consecutive wrong findings writes fail. They are accepted again after a right finding, or if the nodes differ from
// each other. A finding without an answer changes nothing.
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
	if v != Unanswered { // otherwise a jump would be forgotten, and the next check would be due after the interval
		g.base.Store(g.offset(now))
	}
	g.wait.Store(int64(wait))
	g.last.Store(now)
	g.checking.Store(false)
	return v
}

// Failing returns the finding because of which writes fail, or nil if they are accepted.
func (g *Guard) Failing() *Finding { return g.failing.Load() }
