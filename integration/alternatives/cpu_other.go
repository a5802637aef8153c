//go:build !unix

package alternatives

import (
	"errors"
	"time"
)

func processTime() (time.Duration, error) {
	return 0, errors.New("the processor time of a process is read on Unix only")
}
