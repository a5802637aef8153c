//go:build !unix

package measure

import (
	"errors"
	"time"
)

// processCPU is not available in the standard library for this system.
func processCPU() (time.Duration, error) {
	return 0, errors.New("measure: the processor time of a process is available on Unix only; measure loads there")
}
