//go:build !unix

package measure

import (
	"errors"
	"time"
)

// processCPU is not to be had from this system by the standard library.
func processCPU() (time.Duration, error) {
	return 0, errors.New("measure: the processor time of a process is known on Unix only; loads are measured there")
}
