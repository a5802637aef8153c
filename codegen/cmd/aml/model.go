package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// modelError is a model with faults: one a line.
type modelError []model.Diagnostic

func (e modelError) Error() string {
	var lines []string
	for _, d := range e {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// read loads a package and applies every rule of the language. Warnings go to the error output of commands that are about
// the model.
func read(c *cobra.Command, dir string) (*model.Model, *schema.Schema, error) {
	p, err := load.Load(c.Context(), dir)
	if err != nil {
		return nil, nil, err
	}
	m, faults := model.Build(p)
	if model.Refused(faults) {
		return nil, nil, modelError(faults)
	}
	if len(faults) > 0 && warns(c) {
		fmt.Fprintln(c.ErrOrStderr(), modelError(faults))
	}
	if len(m.Aggregates) == 0 {
		return nil, nil, fmt.Errorf("package %s has no model: no struct in it embeds aml.Aggregate; run it in the folder of the model", p.Path)
	}
	return m, schema.Of(m), nil
}

func warns(c *cobra.Command) bool { return c.Name() == "generate" || c.Name() == "check" }

// folders gives the packages that a command line names, the working directory when it names none.
func folders(args []string) []string {
	if len(args) == 0 {
		return []string{"."}
	}
	return args
}

// each does something for every folder and gives all that went wrong.
func each(args []string, do func(dir string) error) error {
	var errs []error
	for _, dir := range folders(args) {
		errs = append(errs, do(dir))
	}
	return errors.Join(errs...)
}
