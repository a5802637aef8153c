package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

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

// read loads a package and applies every rule of the language.
func read(ctx context.Context, dir string) (*model.Model, *schema.Schema, error) {
	p, err := load.Load(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	m, faults := model.Build(p)
	if len(faults) > 0 {
		return nil, nil, modelError(faults)
	}
	if len(m.Aggregates) == 0 {
		return nil, nil, fmt.Errorf("package %s has no model: no struct in it embeds aml.Aggregate", p.Path)
	}
	return m, schema.Of(m), nil
}

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
