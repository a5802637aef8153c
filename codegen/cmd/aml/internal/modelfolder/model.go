package modelfolder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
)

// Diagnostics is an error that has the diagnostics of a model, one per line.
type Diagnostics []model.Diagnostic

func (e Diagnostics) Error() string {
	var lines []string
	for _, d := range e {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// Loaded is a package and its model.
type Loaded struct {
	Model  *model.Model
	Schema *schema.Schema // nil if a diagnostic refuses the model
	Faults []model.Diagnostic
	Path   string
	Err    error // the package cannot be read
}

// Load reads a package and applies every rule of the language. The rules do not accept a context: when the context ends,
// Load does not wait for them, but it does wait for the go command.
func Load(ctx context.Context, dir string) *Loaded {
	done := make(chan *Loaded, 1)
	go func() {
		var p *model.Package
		err := commandline.Uninterrupted(ctx, func() (err error) {
			p, err = load.Load(ctx, dir)
			return err
		})
		if err != nil {
			done <- &Loaded{Err: cmp.Or(findModel(dir), err)}
			return
		}
		l := &Loaded{Path: p.Path}
		if l.Model, l.Faults = model.Build(p); !model.Refused(l.Faults) {
			l.Schema = schema.New(l.Model)
		}
		done <- l
	}()
	select {
	case l := <-done:
		return l
	case <-ctx.Done():
		return &Loaded{Err: context.Cause(ctx)}
	}
}

// NoModelError is the error of a package without aggregates.
type NoModelError string

func (e NoModelError) Error() string {
	return fmt.Sprintf("package %s has no model: no struct in it embeds aml.Aggregate; run the command in the folder of the model", string(e))
}

// noModels returns the error of a command line with dir/... that finds no model. A command that reports nothing because it has read
// nothing would seem to have succeeded.
func noModels(in *Expanded) error {
	text := "none of the folders has a model: no struct in them embeds aml.Aggregate"
	if len(in.other) > 0 {
		text += "; other modules are left out, so run the command in their folders, or add them to a go.work file: " + strings.Join(in.other, ", ")
	}
	return errors.New(text)
}

// Read loads a package that has a model without refusals.
func Read(c *cobra.Command, dir string) (*model.Model, *schema.Schema, error) {
	l, err := ReadModel(c, dir)
	if err != nil {
		return nil, nil, err
	}
	return l.Model, l.Schema, nil
}

// ReadModel is [Read] with the faults of the model, which are warnings.
func ReadModel(c *cobra.Command, dir string) (*Loaded, error) {
	l := Load(c.Context(), dir)
	switch {
	case l.Err != nil:
		return nil, l.Err
	case model.Refused(l.Faults):
		return nil, Diagnostics(l.Faults)
	case len(l.Model.Aggregates) == 0:
		return nil, cmp.Or[error](findModel(dir), NoModelError(l.Path))
	}
	return l, nil
}

// Args returns the folders of a command line, by default the working directory.
func Args(args []string) []string {
	if len(args) == 0 {
		return []string{"."}
	}
	return args
}

// Each calls a function for every folder; a folder that dir/... finds is left out if it has no model, and at least one must have one. The
// errors of a folder are printed after the output and the warnings of that folder, and before the output of the next one.
func Each(c *cobra.Command, args []string, do func(dir string) error) error {
	in, err := Expand(c, Args(args))
	if err != nil {
		return err
	}
	var failed error
	models := 0
	for _, dir := range in.Dirs {
		err := do(dir)
		if c.Context().Err() != nil {
			return err
		}
		if none := NoModelError(""); in.found[dir] && errors.As(err, &none) {
			continue
		}
		models++
		if err != nil {
			fmt.Fprintln(c.ErrOrStderr(), err)
			failed = commandline.ErrPrinted
		}
	}
	if models == 0 {
		return noModels(in)
	}
	return failed
}

// PrefixOption adds the flag for the prefix of a generated store.
func PrefixOption(c *cobra.Command, config *codegen.Config) {
	c.Flags().StringVar(&config.Prefix, "prefix", "", "a prefix for every generated name, for a package that has such names itself")
}
