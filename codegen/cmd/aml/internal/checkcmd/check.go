// Package checkcmd is the command aml check, which reports the diagnostics of a model and the answers of a file of queries.
package checkcmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
)

// Command returns the command aml check.
func Command() *cobra.Command {
	var config codegen.Config
	asJSON, queries := false, ""
	c := &cobra.Command{
		Use:   "check [folder...]",
		Short: "Report the errors and warnings of the model, and write nothing",
		Long: "Report the errors and warnings of the model of each folder, by default the working directory, and write nothing. ./...\n" +
			"means every folder below that has a model. Errors make the exit code 1; warnings do not. The warning AML103 reports a\n" +
			"part of the language that no store executes yet: aml generate rejects such a model, aml generate -schema does not.\n\n" +
			"With -json each diagnostic is one line on the standard output: an object with file, line, column, code, severity\n" +
			"(refusal or warning), message and fix. Errors of the compiler have the code \"\" and the severity error.\n\n" +
			"With -queries the SELECTs of a file are checked against the model of one folder. For each one the output has the method of\n" +
			"the store that answers it or, if none does, the reason and the redundant aggregate that would, with its cost for each write.\n" +
			"The exit code is 1 if a statement has no answer.",
		RunE: func(c *cobra.Command, args []string) error {
			var last *modelfolder.Loaded
			err := modelfolder.Each(c, args, func(dir string) (err error) {
				last = modelfolder.Load(c.Context(), dir)
				config.Package = nil
				if last.Err == nil && last.Schema != nil {
					config.Package, err = storePackage(c, dir, last)
				}
				if err != nil {
					return err
				}
				return check(c, last, config, asJSON)
			})
			if err != nil || queries == "" {
				return err
			}
			in, err := modelfolder.Expand(c, modelfolder.Args(args))
			if err != nil {
				return err
			}
			if len(in.Dirs) != 1 {
				return errors.New("-queries needs one folder: the queries are those of one store")
			}
			return checkQueries(c, last, queries, config, asJSON)
		},
	}
	modelfolder.PrefixOption(c, &config)
	jsonline.Option(c, &asJSON)
	c.Flags().StringVar(&queries, "queries", "", "a file with SELECTs: report the methods that answer them")
	return c
}

// storePackage returns the package of the store of a model; nil if the store is in the package of the model.
func storePackage(c *cobra.Command, dir string, l *modelfolder.Loaded) (*codegen.Package, error) {
	place, err := modelfolder.FindStore(dir)
	if err != nil {
		return nil, err
	}
	return place.Resolve(c.Context(), l.Model)
}

// errReported is the error of a command that has already written the diagnostics as JSON.
var errReported = errors.New("the model is refused")

// check reports the diagnostics of the language, and the names that would collide in the store. If no store can be generated
// yet, it reports warnings about it. The diagnostics are in the order of the source.
func check(c *cobra.Command, l *modelfolder.Loaded, config codegen.Config, asJSON bool) error {
	if source, ok := errors.AsType[*load.SourceError](l.Err); ok && asJSON {
		return errors.Join(writeSourceError(c, source), errReported)
	}
	if l.Err != nil {
		return l.Err
	}
	faults, err := l.Faults, error(nil)
	switch {
	case model.Refused(faults):
		err = errReported
	case len(l.Model.Aggregates) == 0:
		err = modelfolder.NoModelError(l.Path)
	default:
		more, fault := codegen.Unfit(l.Model, l.Schema, config)
		if fault != nil {
			return fault
		}
		if faults = model.Sorted(slices.Concat(faults, more)); model.Refused(faults) {
			return report(c, faults, asJSON, errReported)
		}
	}
	return report(c, faults, asJSON, err)
}

// report writes diagnostics, and returns an error with the others.
func report(c *cobra.Command, faults []model.Diagnostic, asJSON bool, err error) error {
	switch {
	case asJSON:
		return errors.Join(jsonline.WriteDiagnostics(c, faults), err)
	case errors.Is(err, errReported):
		return modelfolder.Diagnostics(faults)
	case len(faults) > 0:
		fmt.Fprintln(c.ErrOrStderr(), modelfolder.Diagnostics(faults))
	}
	return err
}

func writeSourceError(c *cobra.Command, e *load.SourceError) error {
	return jsonline.Write(c, jsonline.Map(e.Faults, func(f load.Fault) jsonline.Diagnostic {
		return jsonline.Diagnostic{File: filepath.ToSlash(f.Pos.File), Line: f.Pos.Line, Column: f.Pos.Col, Severity: "error", Message: f.Message}
	})...)
}
