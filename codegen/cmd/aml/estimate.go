package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
)

func estimateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "estimate [folder...]",
		Short: "Estimate the size of a partition of every table",
		Long: "Estimate the size of a partition of every table, by the formulas of Chebotko, Kashlev and Lu (2015):\n\n" +
			"  cells = rows x (columns - key columns - static columns) + static columns\n" +
			"  bytes = partition key + static columns + rows x (regular columns + clustering key) + 8 x cells\n\n" +
			"rows= on the marker says how many rows a partition has (without it 1, or 1000 where there are discriminators: \"rows\n" +
			"assumed\"), max= how many values a collection has (without it 10). A redundant table under the partition key of its\n" +
			"source has the source's rows times the elements of the collection. A text, a blob or a number of any size counts 32\n" +
			"bytes. More than 100 MB or 100,000 rows is too much for one partition.\n\n" +
			"The tables that the tool derives are listed, too. Those of unique values (__unique) and of versions (__sync) have one\n" +
			"row a partition. Those of holders (__holders) and of references (__refs) have one for each row that holds the target:\n" +
			"as many as a partition of the holder has where the target's key is the holder's partition key, else 1000 are assumed.",
		RunE: func(c *cobra.Command, args []string) error {
			return each(c, args, func(dir string) error { return estimate(c, dir) })
		},
	}
}

func estimate(c *cobra.Command, dir string) error {
	m, _, err := read(c, dir)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "table\trows\tcells\tbytes\t")
	for _, e := range model.Estimates(m) {
		note := ""
		switch {
		case e.Large():
			note = "  too large"
		case e.Assumed:
			note = "  rows assumed"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\n", e.Table, e.Rows, e.Cells, e.Size(), note)
	}
	return w.Flush()
}
