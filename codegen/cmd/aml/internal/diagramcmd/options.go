package diagramcmd

import (
	"errors"
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
	queries  string
	output   string
	roots    []string
	focus    string
	depth    int
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
	if o.queries != "" && n != diagram.Chebotko && n != diagram.ChebotkoLogical {
		return diagram.Options{}, fmt.Errorf("-queries: -notation %s does not draw queries: use it with %s or %s", n, diagram.Chebotko, diagram.ChebotkoLogical)
	}
	settings := diagram.Options{Roots: o.roots, Types: types}
	if o.focus != "" {
		settings.Focus = &diagram.Focus{Root: o.focus, Depth: o.depth}
	}
	return settings, nil
}

// workflow reads the file of queries; without one, it returns nil.
func (o options) workflow(models []diagram.Model) ([]diagram.Query, error) {
	switch {
	case o.queries == "":
		return nil, nil
	case len(models) != 1:
		return nil, errors.New("-queries needs one folder: the queries are those of one store")
	}
	return modelfolder.Queries(o.queries, models[0].Model, models[0].Schema)
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
