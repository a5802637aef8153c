package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/cassaml/cassaml/codegen/vet"
)

func main() { os.Exit(Main()) }

// Main runs the command with the arguments of the process and returns its exit code.
func Main() int {
	if isVetTool(os.Args[1:]) {
		unitchecker.Main(vet.Analyzer) // it does not return
	}
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals) // a second signal ends the process in any case
		end(signalError{s})
	}()
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

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
	case errors.Is(err, errPrinted): // the printed error has another reason
		return fmt.Errorf("the output is not complete: %w", w.err)
	}
	return errors.Join(err, fmt.Errorf("the output is not complete: %w", w.err))
}

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

// run executes one command line and returns its exit code: 0 for success, 128 plus the number of the signal if a signal has
// ended the command, 3 if aml reconcile leaves drift, 1 otherwise. Errors are written to stderr. When the context ends, run does
// not wait for a command that has nothing to clean up: its work does not use the context, and the process ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var busy sync.Mutex // locked while files are replaced, and while another program runs
	out := &checkedWriter{to: stdout}
	root := commandTo(out)
	root.SetArgs(longOptions(args))
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
	held := make(chan struct{})
	go func() {
		busy.Lock() // never unlocked: nothing is written after this
		close(held)
	}()
	select {
	case <-held:
	case <-time.After(endBound):
	}
	return exitCode(ctx, err, stderr)
}

// endBound is how long a command waits after a signal until files are replaced and the programs that it started have ended. The
// type checker, which can run in between, cannot be interrupted and takes minutes for some packages.
const endBound = 2 * time.Second

// exitCode prints an error and returns the exit code for it.
func exitCode(ctx context.Context, err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	if !errors.Is(err, errPrinted) {
		fmt.Fprintln(stderr, err)
	}
	s, signalled := errors.AsType[signalError](context.Cause(ctx))
	if !signalled {
		if _, left := errors.AsType[driftLeftError](err); left {
			return codeDriftLeft
		}
		return 1
	}
	if !errors.Is(err, s) {
		fmt.Fprintln(stderr, s)
	}
	return s.code()
}

// cleansUp is the annotation of commands that have to clean up after a signal: a server, a lock, a keyspace.
const cleansUp = "cleans up"

// cleaning annotates a command as one that the process waits for after a signal.
func cleaning(c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{cleansUp: "true"}
	return c
}

// busyKey is the key of the lock that a command holds while it replaces files, and while a program that it has started runs.
type busyKey struct{}

// uninterrupted calls a function that the process waits for, even after a signal.
func uninterrupted(ctx context.Context, do func() error) error {
	if l, ok := ctx.Value(busyKey{}).(*sync.Mutex); ok {
		l.Lock()
		defer l.Unlock()
	}
	return do()
}

func command() *cobra.Command { return commandTo(os.Stdout) }

// commandTo returns the command with its standard output, which the completion command reads when it is added.
func commandTo(out io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:           "aml",
		Short:         "Derive tables and a typed store for Apache Cassandra from Go structs",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(generateCommand(), checkCommand(), vetCommand(), estimateCommand(), explainCommand(), diagramCommand(), docsCommand(), fromLive(diffCommand()),
		migrateCommand(), inspectCommand(), importCommand(), cleaning(reconcileCommand()), cleaning(devCommand()), versionCommand())
	root.SetOut(out)
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.InitDefaultCompletionCmd()
	completing(root)
	return root
}

// longOptions allows options of more than one letter with one dash, as in the go command.
func longOptions(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if a == "--" {
			copy(out[i:], args[i:])
			return out
		}
		if len(a) > 2 && a[0] == '-' && unicode.IsLetter(rune(a[1])) && !strings.HasPrefix(a, "-h=") {
			a = "-" + a
		}
		out[i] = a
	}
	if last := len(args) - 1; completesOneDash(args) {
		out[last] = "-" + args[last]
	}
	return out
}
