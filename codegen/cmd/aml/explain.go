package main

import (
	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/explain"
)

func explainCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "explain [folder...]",
		Short: "Say what each operation of the store sends, and what it costs",
		Long: "Say what each operation of the store sends: its statements by table, the partitions that it touches, whether it is\n" +
			"one statement, a logged batch or one through the batchlog, and how many requests it waits for. Then, for each field\n" +
			"of a root, what a change of it writes in every table, and its Set method or why it has none.\n\n" +
			"A logged batch needs the batchlog where it touches more than one partition key. The server then writes the batch to\n" +
			"two other nodes first, which is one more round trip inside the cluster: server: +1. Rows under the root's own\n" +
			"partition key, in whichever table, are one mutation with it and cost almost nothing.\n\n" +
			"It follows from the model alone and needs no server, also where no store is generated yet. ./... is every folder below\n" +
			"that has a model.\n\n" +
			"With -json each line of the standard output is an object: of kind package, table, operation or field.",
		RunE: func(c *cobra.Command, args []string) error {
			return each(c, args, func(dir string) error {
				m, s, err := read(c, dir)
				if err != nil {
					return err
				}
				if asJSON {
					return writeExplanationJSON(c, dir, m.Package.Path, explain.Of(m, s))
				}
				return writeExplanation(c.OutOrStdout(), explain.Of(m, s))
			})
		},
	}
	jsonOption(c, &asJSON)
	return c
}
