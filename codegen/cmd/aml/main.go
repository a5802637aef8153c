package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"
)

func main() { os.Exit(Main()) }

// Main runs the command with the process's arguments and gives its exit code.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// run executes one command line: 0 is success, 1 anything else. What is wrong goes to stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := command()
	root.SetArgs(longOptions(args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:           "aml",
		Short:         "Aggregates for Apache Cassandra: Go structs in, tables and a typed store out",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(generateCommand(), checkCommand(), estimateCommand(), explainCommand(), fromLive(diffCommand()),
		migrateCommand(), inspectCommand(), importCommand(), devCommand())
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
