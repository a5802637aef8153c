package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
)

func estimateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "estimate [folder...]",
		Short: "Estimate the size of a partition of every table",
		Long: "Estimate the size of a partition of every table, by the formulas of Chebotko, Kashlev and Lu (2015):\n\n" +
			"  cells = rows x (columns - key columns - static columns) + static columns\n" +
			"  bytes = partition key + static columns + rows x (regular columns + clustering key) + 8 x cells\n\n" +
			"rows= on the marker is the number of rows of a partition (the default is 1, or 1000 if there are discriminators: \"rows\n" +
			"assumed\"), and max= is the number of values of a collection (the default is 10). A redundant table with the partition\n" +
			"key of its source has as many rows as the source, times the elements of the collection. A text, a blob or a number of\n" +
			"variable size counts as 32 bytes. A partition with more than 100 MB or 100,000 rows is too large.\n\n" +
			"Derived tables are listed, too. Those of unique values (__unique) and of versions (__sync) have one row per partition.\n" +
			"Those of holders (__holders) and of references (__refs) have one row for each row that holds the target: as many as a\n" +
			"partition of the holder has if the target's key is the holder's partition key; otherwise 1000 are assumed. rows= on the\n" +
			"field of the reference determines their number, and in how many partitions they are. aml_outboxes has the roots of all tables\n" +
			"whose copies have not followed yet.",
		RunE: func(c *cobra.Command, args []string) error {
			return modelfolder.Each(c, args, func(dir string) error { return estimate(c, dir) })
		},
	}
}

func estimate(c *cobra.Command, dir string) error {
	m, _, err := modelfolder.Read(c, dir)
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
