package commandline

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync"
)

// checkedWriter is the standard output of a command. It keeps the first error, so that no command succeeds without its whole output.
type checkedWriter struct {
	to  io.Writer
	mu  sync.Mutex
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.err = cmp.Or(w.err, err)
	}
	return n, err
}

// check returns the error of a command, joined with the first error of a write if it does not contain this error.
func (w *checkedWriter) check(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.err == nil || errors.Is(err, w.err):
		return err
	case errors.Is(err, ErrPrinted): // the printed error has another reason
		return fmt.Errorf("the output is not complete: %w", w.err)
	}
	return errors.Join(err, fmt.Errorf("the output is not complete: %w", w.err))
}
