package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/server"
)

func inspectCommand() *cobra.Command {
	var n server.Connection
	c := &cobra.Command{
		Use:   "inspect",
		Short: "Print a live keyspace as the CQL that creates it",
		Long: "Print the types, tables and indexes of a live keyspace as the CQL that creates them, with the properties that differ\n" +
			"from the server's defaults. Other objects (materialized views, functions, triggers, masks) follow as comments. The\n" +
			"tables in which migrations are recorded are omitted. Columns outside the key are printed in the order of their names,\n" +
			"because the server keeps no other order.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return inspect(c, &n) },
	}
	n.AddOptions(c)
	n.AddKeyspaceOption(c)
	return c
}

func inspect(c *cobra.Command, n *server.Connection) error {
	k, err := n.Inspect(c)
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	fmt.Fprintf(out, "-- keyspace %s: %d types, %d tables\n", n.Keyspace, len(k.Types), len(k.Tables))
	if len(k.Types)+len(k.Tables) > 0 {
		fmt.Fprint(out, "\n"+k.CQL())
	}
	for _, note := range k.Notes {
		fmt.Fprintf(out, "\n-- %s\n", strings.Join(strings.Fields(note.String()), " "))
	}
	return nil
}
