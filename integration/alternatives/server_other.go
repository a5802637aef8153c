//go:build !linux

package alternatives

import (
	"errors"
	"time"
)

// serverTime returns an error: the processor time of another process is measured on Linux only.
func serverTime(int) (time.Duration, error) {
	return 0, errors.New("the processor time of a server is measured on Linux only")
}
