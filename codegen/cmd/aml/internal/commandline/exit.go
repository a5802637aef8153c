package commandline

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// ErrPrinted is the error of a command that has already printed its errors.
var ErrPrinted = errors.New("what is wrong has been printed")

// ExitError is an error with an exit code of its own.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string { return e.Err.Error() }

// Unwrap returns the error without the exit code.
func (e *ExitError) Unwrap() error { return e.Err }

// exitCode prints an error and returns the exit code for it.
func exitCode(ctx context.Context, err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	if !errors.Is(err, ErrPrinted) {
		fmt.Fprintln(stderr, err)
	}
	s, signalled := errors.AsType[signalError](context.Cause(ctx))
	if !signalled {
		if e, ok := errors.AsType[*ExitError](err); ok {
			return e.Code
		}
		return 1
	}
	if !errors.Is(err, s) {
		fmt.Fprintln(stderr, s)
	}
	return s.code()
}
