// Package explaincmd is the command aml explain, which prints the requests of each operation of a store.
package explaincmd

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
)

// Command returns the command aml explain.
func Command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "explain [folder...]",
		Short: "Print the requests and the cost of each operation of the store",
		Long: "Print the requests of each operation of the store: the statements by table, the partitions that they touch, whether\n" +
			"they are one statement, a logged batch or a batch through the batchlog, and the number of round trips. Then print, for\n" +
			"each field of a root, what a change of the field writes in every table, and its Set method or why it has none.\n\n" +
			"A logged batch needs the batchlog if it touches more than one partition key. The server then writes the batch to two\n" +
			"other nodes first, which is one more round trip inside the cluster: server: +1. Rows with the root's own partition\n" +
			"key, in any table, are one mutation with it and cost almost nothing.\n\n" +
			"The first lines list all operations by their requests and partitions. -roots and -operation select some of them.\n\n" +
			"The output follows from the model alone. No server is needed, and no generated store. ./... means every folder below\n" +
			"that has a model.\n\n" +
			"With -json each line of the standard output is an object: of kind package, table, operation, field or batch.",
		RunE: func(c *cobra.Command, args []string) error {
			return modelfolder.Each(c, args, func(dir string) error { return o.write(c, dir) })
		},
	}
	jsonline.Option(c, &o.json)
	c.Flags().StringSliceVar(&o.roots, "roots", nil, "explain only these roots, with their parts and redundant aggregates: Go names, separated by commas")
	c.Flags().StringSliceVar(&o.operations, "operation", nil, "explain only these operations: names of methods, separated by commas")
	return c
}

// options are the options of the command.
type options struct {
	json       bool
	roots      []string // nil: all
	operations []string // nil: all
}

// write writes the explanation of the model in a folder.
func (o options) write(c *cobra.Command, dir string) error {
	m, s, err := modelfolder.Read(c, dir)
	if err != nil {
		return err
	}
	e, err := o.selected(m, s)
	if err != nil {
		return err
	}
	if o.json {
		return writeJSON(c, dir, m.Package.Path, e)
	}
	_, err = fmt.Fprint(c.OutOrStdout(), outline.Store(e))
	return err
}

// selected returns the explanation of the selected roots and operations.
func (o options) selected(m *model.Model, s *schema.Schema) (*explain.Explanation, error) {
	e := explain.New(m, s)
	if o.roots != nil {
		roots, err := diagram.Roots([]diagram.Model{{Model: m, Schema: s, Explained: e}}, o.roots)
		if err != nil {
			return nil, err
		}
		e = e.SelectAggregates(func(a *model.Aggregate) bool { return slices.Contains(roots, diagram.Root(a)) })
	}
	if o.operations == nil {
		return e, nil
	}
	e, err := e.SelectOperations(o.operations)
	if err != nil {
		return nil, fmt.Errorf("-operation: %w", err)
	}
	return e, nil
}
