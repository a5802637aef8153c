package commandline

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

// endBound is how long a command waits after a signal until files are replaced and the programs that it started have ended. The
// type checker, which can run in between, cannot be interrupted and takes minutes for some packages.
const endBound = 2 * time.Second

// Run executes one command line and returns its exit code: 0 for success, 128 plus the number of the signal if a signal has
// ended the command, the code of an [ExitError], 1 otherwise. The function newRoot returns the command, with a standard output that the
// completion command reads when it is added. Errors are written to stderr. When the context ends, Run does not wait for a command that
// has nothing to clean up: its work does not use the context, and the process ends.
func Run(ctx context.Context, newRoot func(out io.Writer) *cobra.Command, args []string, stdout, stderr io.Writer) int {
	var busy sync.Mutex // locked while files are replaced, and while another program runs
	out := &checkedWriter{to: stdout}
	root := newRoot(out)
	root.SetArgs(LongOptions(args))
	if completesOneDash(args) {
		root.SetOut(oneDash{out}) // a shell ignores lines that do not begin with the word that it completes
	}
	root.SetErr(stderr)
	cleans := make(chan bool, 1)
	root.PersistentPreRun = func(c *cobra.Command, _ []string) { cleans <- c.Annotations[cleansUp] != "" }
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(context.WithValue(ctx, busyKey{}, &busy)) }()
	select {
	case err := <-done:
		return exitCode(ctx, out.check(err), stderr)
	case <-ctx.Done():
	}
	err := context.Cause(ctx)
	select {
	case wait := <-cleans:
		if wait {
			err = <-done
		}
	default: // the command line is still being read
	}
	await(&busy)
	return exitCode(ctx, err, stderr)
}

// await waits at most endBound until nothing holds a lock, and keeps the lock: nothing is written after this.
func await(busy *sync.Mutex) {
	held := make(chan struct{})
	go func() {
		busy.Lock() // never unlocked
		close(held)
	}()
	select {
	case <-held:
	case <-time.After(endBound):
	}
}
