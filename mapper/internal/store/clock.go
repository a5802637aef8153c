package store

import (
	"sync/atomic"
	"time"
)

// Clock returns the timestamps of writes, in microseconds since 1970. They grow by at least [Spacing], because what moves is
// deleted just before the timestamp of its write.
type Clock struct {
	now  func() time.Time
	last atomic.Int64
}

// Spacing is the least difference between two timestamps of a clock.
const Spacing = 2

// NewClock returns a clock that follows now.
func NewClock(now func() time.Time) *Clock { return &Clock{now: now} }

// Next returns a timestamp of at least min and keeps a number of repeats, each [Spacing] later, free after it. A min that is
// ahead, because a row was written by another clock, is for the row that has it alone: it does not move the clock.
func (c *Clock) Next(min int64, repeats int) int64 {
	for {
		last := c.last.Load()
		t := max(c.now().UnixMicro(), last+Spacing)
		if c.last.CompareAndSwap(last, t+int64(repeats)*Spacing) {
			return max(t, min)
		}
	}
}
