package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// modelError has the diagnostics of a model, one per line.
type modelError []model.Diagnostic

func (e modelError) Error() string {
	var lines []string
	for _, d := range e {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// loaded is a package and its model.
type loaded struct {
	model  *model.Model
	schema *schema.Schema
	faults []model.Diagnostic
	path   string
	err    error
}

// loadModel reads a package and applies every rule of the language. The rules do not accept a context: when the context ends,
// loadModel does not wait for them, but it does wait for the go command.
func loadModel(ctx context.Context, dir string) *loaded {
	done := make(chan *loaded, 1)
	go func() {
		var p *model.Package
		err := uninterrupted(ctx, func() (err error) {
			p, err = load.Load(ctx, dir)
			return err
		})
		if err != nil {
			done <- &loaded{err: err}
			return
		}
		l := &loaded{path: p.Path}
		if l.model, l.faults = model.Build(p); !model.Refused(l.faults) {
			l.schema = schema.Of(l.model)
		}
		done <- l
	}()
	select {
	case l := <-done:
		return l
	case <-ctx.Done():
		return &loaded{err: context.Cause(ctx)}
	}
}

// errNoModel is the error of a package without aggregates.
type errNoModel string

func (e errNoModel) Error() string {
	return fmt.Sprintf("package %s has no model: no struct in it embeds aml.Aggregate; run the command in the folder of the model", string(e))
}

// noModels returns the error of a command line with dir/... that finds no model. A command that reports nothing because it has read
// nothing would seem to have succeeded.
func noModels(in expanded) error {
	text := "none of the folders has a model: no struct in them embeds aml.Aggregate"
	if len(in.other) > 0 {
		text += "; other modules are left out, so run the command in their folders, or add them to a go.work file: " + strings.Join(in.other, ", ")
	}
	return errors.New(text)
}

// read loads a package. Commands about the model write warnings to the error output.
func read(c *cobra.Command, dir string) (*model.Model, *schema.Schema, error) {
	l, err := readModel(c, dir)
	if err != nil {
		return nil, nil, err
	}
	if len(l.faults) > 0 && warns(c) {
		fmt.Fprintln(c.ErrOrStderr(), modelError(l.faults))
	}
	return l.model, l.schema, nil
}

// readModel loads a package that has a model without refusals. Its faults are warnings.
func readModel(c *cobra.Command, dir string) (*loaded, error) {
	l := loadModel(c.Context(), dir)
	switch {
	case l.err != nil:
		return nil, l.err
	case model.Refused(l.faults):
		return nil, modelError(l.faults)
	case len(l.model.Aggregates) == 0:
		return nil, errNoModel(l.path)
	}
	return l, nil
}

func warns(c *cobra.Command) bool { return c.Name() == "generate" }

// folders returns the packages of a command line, by default the working directory.
func folders(args []string) []string {
	if len(args) == 0 {
		return []string{"."}
	}
	return args
}

// errPrinted is the error of a command that has already printed its errors.
var errPrinted = errors.New("what is wrong has been printed")

// each calls a function for every folder; of those that dir/... finds, only for those with a model, and at least one must have one. The
// errors of a folder are printed after the output and the warnings of that folder, and before those of the next one.
func each(c *cobra.Command, args []string, do func(dir string) error) error {
	in, err := expand(c, folders(args))
	if err != nil {
		return err
	}
	var failed error
	models := 0
	for _, dir := range in.dirs {
		err := do(dir)
		if c.Context().Err() != nil {
			return err
		}
		if none := errNoModel(""); in.found[dir] && errors.As(err, &none) {
			continue
		}
		models++
		if err != nil {
			fmt.Fprintln(c.ErrOrStderr(), err)
			failed = errPrinted
		}
	}
	if models == 0 {
		return noModels(in)
	}
	return failed
}
