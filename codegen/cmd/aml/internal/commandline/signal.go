package commandline

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
)

// signalError is the error of a command that a signal has ended.
type signalError struct{ os.Signal }

func (e signalError) Error() string { return e.String() + " signal received" }

// code returns the exit code that shells use for a program that a signal has ended.
func (e signalError) code() int {
	if n, ok := e.Signal.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return 1
}

// Context returns a context that a signal ends. A second signal ends the process.
func Context() context.Context {
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals) // a second signal ends the process in any case
		end(signalError{s})
	}()
	return ctx
}

// cleansUp is the annotation of commands that have to clean up after a signal: a server, a lock, a keyspace.
const cleansUp = "cleans up"

// Cleaning annotates a command as one that the process waits for after a signal.
func Cleaning(c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{cleansUp: "true"}
	return c
}

// busyKey is the key of the lock that a command holds while it replaces files, and while a program that it has started runs.
type busyKey struct{}

// Uninterrupted calls a function that the process waits for, even after a signal.
func Uninterrupted(ctx context.Context, do func() error) error {
	if l, ok := ctx.Value(busyKey{}).(*sync.Mutex); ok {
		l.Lock()
		defer l.Unlock()
	}
	return do()
}
