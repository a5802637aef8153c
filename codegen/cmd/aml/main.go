package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/advisecmd"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/alternativescmd"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/checkcmd"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/diagramcmd"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/diffcmd"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/docscmd"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/explaincmd"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migratecmd"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/reconcilecmd"
	"github.com/cassaml/cassaml/codegen/vet"
)

func main() { os.Exit(Main()) }

// Main runs the command with the arguments of the process and returns its exit code.
func Main() int {
	if isVetTool(os.Args[1:]) {
		unitchecker.Main(vet.Analyzer) // it does not return
	}
	return run(commandline.Context(), os.Args[1:], os.Stdout, os.Stderr)
}

// run executes one command line and returns its exit code: see [commandline.Run]. The exit code of aml reconcile is 3 if drift is left.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return commandline.Run(ctx, command, args, stdout, stderr)
}

// command returns the command with its standard output, which the completion command reads when it is added.
func command(out io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:           "aml",
		Short:         "Derive tables and a typed store for Apache Cassandra from Go structs",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(generateCommand(), checkcmd.Command(), vetCommand(), estimateCommand(), explaincmd.Command(), alternativescmd.Command(), advisecmd.Command(), diagramcmd.Command(),
		docscmd.Command(), diffcmd.Command(), migratecmd.Command(), inspectCommand(), importCommand(),
		commandline.Cleaning(reconcilecmd.Command()), commandline.Cleaning(reconcilecmd.FanOutCommand()), commandline.Cleaning(devCommand()), versionCommand())
	root.SetOut(out)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w: %s -help prints the options", err, c.CommandPath())
	})
	commandline.AddCompletion(root)
	return root
}
