package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/vet"
)

func vetCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "vet [package...]",
		Short: "Report faults of models, and of CQL in packages that import a store",
		Long: "Report the errors and warnings of the models of Go packages, by default that of the working directory, and faults in the\n" +
			"constant CQL that packages which import a generated store pass to gocqlx and the drivers: an unknown table or column, SELECT *,\n" +
			"a query that needs ALLOW FILTERING, and a plain write to a redundant or versioned table. The packages must compile. A comment\n" +
			"//aml:ignore CODE reason at the end of the line, or on the line above, silences a fault. The exit code is 1 if anything is\n" +
			"reported, also for a warning.\n\n" +
			"With -json each diagnostic is one line on the standard output, as with aml check. The command is a tool for go vet, too:\n" +
			"go vet -vettool=$(which aml) ./...",
		RunE: func(c *cobra.Command, args []string) error {
			var found []model.Diagnostic
			err := commandline.Uninterrupted(c.Context(), func() (err error) {
				found, err = vet.Packages(c.Context(), modelfolder.Args(args)...)
				return err
			})
			switch {
			case err != nil:
				return err
			case len(found) == 0:
				return nil
			case asJSON:
				return errors.Join(jsonline.WriteDiagnostics(c, found), commandline.ErrPrinted)
			}
			return modelfolder.Diagnostics(found)
		},
	}
	jsonline.Option(c, &asJSON)
	return c
}

// isVetTool reports whether the arguments are those with which go vet runs a tool.
func isVetTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return last == "-V=full" || last == "-flags" || strings.HasSuffix(last, ".cfg") && (len(args) == 1 || strings.HasPrefix(args[0], "-"))
}
