// Package explaincmd is the command aml explain, which prints the requests of each operation of a store.
package explaincmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
)

// Command returns the command aml explain.
func Command() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "explain [folder...]",
		Short: "Print the requests and the cost of each operation of the store",
		Long: "Print the requests of each operation of the store: the statements by table, the partitions that they touch, whether\n" +
			"they are one statement, a logged batch or a batch through the batchlog, and the number of round trips. Then print, for\n" +
			"each field of a root, what a change of the field writes in every table, and its Set method or why it has none.\n\n" +
			"A logged batch needs the batchlog if it touches more than one partition key. The server then writes the batch to two\n" +
			"other nodes first, which is one more round trip inside the cluster: server: +1. Rows with the root's own partition\n" +
			"key, in any table, are one mutation with it and cost almost nothing.\n\n" +
			"The output follows from the model alone. No server is needed, and no generated store. ./... means every folder below\n" +
			"that has a model.\n\n" +
			"With -json each line of the standard output is an object: of kind package, table, operation, field or batch.",
		RunE: func(c *cobra.Command, args []string) error {
			return modelfolder.Each(c, args, func(dir string) error {
				m, s, err := modelfolder.Read(c, dir)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(c, dir, m.Package.Path, explain.New(m, s))
				}
				_, err = fmt.Fprint(c.OutOrStdout(), outline.Store(explain.New(m, s)))
				return err
			})
		},
	}
	jsonline.Option(c, &asJSON)
	return c
}
