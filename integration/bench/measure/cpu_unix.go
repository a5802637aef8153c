//go:build unix

package measure

import (
	"fmt"
	"syscall"
	"time"
)

// processCPU returns the processor time of this process, in user and in system mode.
func processCPU() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("measure: getrusage: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
