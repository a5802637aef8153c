package alternatives

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// serverTime returns the processor time of all threads of a process, including those that have ended, in nanoseconds. /proc/PID/stat has hundredths of a
// second only.
func serverTime(pid int) (time.Duration, error) {
	const scheduler = 2 // CPUCLOCK_SCHED: the clock of clock_getcpuclockid(3)
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduler), &t); err != nil {
		return 0, fmt.Errorf("the processor time of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}
