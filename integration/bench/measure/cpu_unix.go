//go:build unix

package measure

import (
	"fmt"
	"syscall"
	"time"
)

// processCPU is the processor time that this process has taken, its own and the system's for it.
func processCPU() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("measure: getrusage: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
