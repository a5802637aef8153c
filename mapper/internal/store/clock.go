package store

import (
	"sync/atomic"
	"time"
)

// Clock returns the timestamps of writes, in microseconds since 1970. They grow by at least [Spacing], because what moves is
// deleted just before the timestamp of its write.
type Clock struct {
	now   func() time.Time
	limit int64 // how far, in microseconds, timestamps can be ahead of now; 0: any distance
	last  atomic.Int64
}

// Spacing is the least difference between two timestamps of a clock.
const Spacing = 2

// NewClock returns a clock that follows now. When now goes back by more than the limit, the timestamps go back with it: what was
// wrong was the time before, and to stay above it would hide the writes of other clients. A limit of 0 or less is none.
func NewClock(now func() time.Time, limit time.Duration) *Clock {
	return &Clock{now: now, limit: max(0, limit.Microseconds())}
}

// Next returns a timestamp of at least min and keeps a number of repeats, each [Spacing] later, free after it. A min that is
// ahead, because a row was written by another clock, is for the row that has it alone: it does not move the clock.
func (c *Clock) Next(min int64, repeats int) int64 {
	for {
		last, now := c.last.Load(), c.now().UnixMicro()
		t := max(now, last+Spacing)
		if c.limit > 0 && last > now+c.limit {
			t = now
		}
		if c.last.CompareAndSwap(last, t+int64(repeats)*Spacing) {
			return max(t, min)
		}
	}
}
