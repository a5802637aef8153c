package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"
)

func main() { os.Exit(Main()) }

// Main runs the command with the process's arguments and gives its exit code.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process in any case
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// run executes one command line: 0 is success, 1 anything else. What is wrong goes to stderr. When the context ends, a command that
// has nothing to clean up is not waited for: what it does takes no context, and the process ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var writing sync.Mutex // held while files are replaced
	root := command()
	root.SetArgs(longOptions(args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	cleans := make(chan bool, 1)
	root.PersistentPreRun = func(c *cobra.Command, _ []string) { cleans <- c.Annotations[cleansUp] != "" }
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(context.WithValue(ctx, writingKey{}, &writing)) }()
	select {
	case err := <-done:
		return exitCode(err, stderr)
	case <-ctx.Done():
	}
	select {
	case wait := <-cleans:
		if wait {
			return exitCode(<-done, stderr)
		}
	default: // the command line is still being read
	}
	writing.Lock() // never unlocked: nothing is written after this
	return exitCode(context.Cause(ctx), stderr)
}

func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	if !errors.Is(err, errPrinted) {
		fmt.Fprintln(stderr, err)
	}
	return 1
}

// cleansUp is the annotation of commands that leave something behind when they are not waited for: a server, a lock, a keyspace.
const cleansUp = "cleans up"

// cleaning marks a command as one that is waited for after a signal.
func cleaning(c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{cleansUp: "true"}
	return c
}

// writingKey is the key of the lock that a command holds while it replaces files.
type writingKey struct{}

// uninterrupted does something that a signal must not end in the middle.
func uninterrupted(ctx context.Context, do func() error) error {
	if l, ok := ctx.Value(writingKey{}).(*sync.Mutex); ok {
		l.Lock()
		defer l.Unlock()
	}
	return do()
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:           "aml",
		Short:         "Aggregates for Apache Cassandra: Go structs in, tables and a typed store out",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(generateCommand(), checkCommand(), estimateCommand(), explainCommand(), fromLive(diffCommand()),
		migrateCommand(), inspectCommand(), importCommand(), cleaning(devCommand()), versionCommand())
	return root
}

// longOptions lets options of more than one letter be written with one dash, as the go command has them.
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
	return out
}
