package gen

import (
	"sync/atomic"
	"time"
)

// clock gives the timestamps of one store's writes, in microseconds since 1970. They grow by at least spacing,
// because what moves is deleted just before the timestamp of its write.
type clock struct {
	now  func() time.Time
	last atomic.Int64
}

const spacing = 2

// next gives a timestamp of at least min and keeps a number of repeats, each spacing later, free behind it. A min that lies
// ahead, because a row was written by another clock, is for the row that has it alone: it does not move the clock.
func (c *clock) next(min int64, repeats int) int64 {
	for {
		last := c.last.Load()
		t := max(c.now().UnixMicro(), last+spacing)
		if c.last.CompareAndSwap(last, t+int64(repeats)*spacing) {
			return max(t, min)
		}
	}
}
