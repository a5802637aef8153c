package store

import (
	"sync/atomic"
	"time"
)

// Clock returns the timestamps of writes, in microseconds since 1970. Each is greater than the last by at least [Spacing],
// because a row that moves is deleted one microsecond before the timestamp of its write.
type Clock struct {
	now   func() time.Time
	limit int64 // how far timestamps can be ahead of now, in microseconds; 0: no limit
	last  atomic.Int64
}

// Spacing is the minimum difference between two timestamps of a clock, in microseconds.
const Spacing = 2

// NewClock returns a clock that follows now. If now goes back by more than the limit, the timestamps go back, too: the earlier time
// was wrong, and timestamps above it would hide the writes of other clients. A limit of 0 or less means no limit.
func NewClock(now func() time.Time, limit time.Duration) *Clock {
	return &Clock{now: now, limit: max(0, limit.Microseconds())}
}

// Next returns a timestamp of at least min, and reserves the timestamps of repeats, each [Spacing] later. A min that is ahead of
// the clock, because another clock wrote the row, applies only to this call: it does not advance the clock.
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
