package alternatives

import (
	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen"
)

// Package writes the files of a package with the design: its model, its schema and, if one executes it, its store.
func (a *Alternative) Package(c codegen.Config, write func(name string, data []byte)) error {
	for name, text := range a.Files {
		write(name, []byte(text))
	}
	write("schema.cql", []byte(a.CQL))
	if a.NoStore != "" {
		return nil
	}
	store, faults, err := codegen.Generate(a.Model, a.Schema, c)
	if err != nil || len(faults) > 0 {
		return err // Unfit has found no fault
	}
	write(load.Generated, store)
	return nil
}
