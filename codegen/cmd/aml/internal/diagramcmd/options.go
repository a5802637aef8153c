package diagramcmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/ownfile"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// options are the options of aml diagram.
type options struct {
	notation string
	types    string
	output   string
	roots    []string
	dark     bool
	force    bool
	check    bool
	update   string
}

// settings returns the options of a notation, whose name is known.
func (o options) settings(n diagram.Notation) (diagram.Options, error) {
	types, err := diagram.ParseTypes(o.types)
	if err != nil {
		return diagram.Options{}, fmt.Errorf("-types: %w", err)
	}
	if types != diagram.CQL && !n.HasAggregates() {
		return diagram.Options{}, fmt.Errorf("-types %s: -notation %s draws tables, whose types are those of CQL: use it with %s, %s, %s or %s", types, n, diagram.AML, diagram.AMLMembers, diagram.MermaidClass, diagram.Mermaid)
	}
	return diagram.Options{Roots: o.roots, Types: types}, nil
}

// readModels reads the models of folders. A folder that dir/... finds is left out if it has no model. All faults are printed.
func readModels(c *cobra.Command, args []string) (models []diagram.Model, err error) {
	err = modelfolder.Each(c, args, func(dir string) error {
		m, s, err := modelfolder.Read(c, dir)
		if err == nil {
			models = append(models, diagram.Model{Model: m, Schema: s})
		}
		return err
	})
	return models, err
}

// put writes files. With -check it compares them instead.
func put(c *cobra.Command, args []string, files []codegen.File, o options) error {
	if o.check {
		return ownfile.Compare(files, ownfile.Command(c, args))
	}
	return ownfile.WriteOwn(c, files, o.force)
}
