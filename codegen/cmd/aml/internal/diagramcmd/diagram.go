// Package diagramcmd is the command aml diagram, which draws models.
package diagramcmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/diagram"
)

// Command returns the command aml diagram.
func Command() *cobra.Command {
	o := options{}
	c := &cobra.Command{
		Use:   "diagram [folder...]",
		Short: "Draw the aggregates or the tables of the model",
		Long: "Draw the aggregates or the tables of the model, in one of these notations:\n\n" + notationLines() + "\n" +
			"The name of the file selects the format: .svg or .png, and .md for Mermaid. Without -o, SVG or Markdown is printed.\n" +
			"Several folders are drawn in one picture, with the references between them. If a model is too large for one picture,\n" +
			"an overview and a picture of each root are written: shop.svg, whose boxes are links to shop-Customer.svg and so on.\n\n" +
			"-update replaces what a Markdown file has between the lines <!-- aml diagram --> and <!-- /aml diagram -->.\n\n" +
			"A file that aml has not written is overwritten only with -force. If a model has faults, nothing is written. The same\n" +
			"model produces the same bytes.",
		RunE: func(c *cobra.Command, args []string) error { return drawModels(c, args, o) },
	}
	c.Flags().StringVar(&o.notation, "notation", string(diagram.AML), "the notation")
	c.Flags().StringVar(&o.types, "types", string(diagram.CQL), "the names of types in diagrams of aggregates: cql, or aml (int, real, str, bool, date)")
	c.Flags().StringVar(&o.queries, "queries", "", "a file with SELECTs: draw them at the tables that answer them, with their workflow (chebotko, chebotko-logical)")
	c.Flags().StringVarP(&o.output, "output", "o", "", "the file; without it, SVG or Markdown is printed")
	c.Flags().StringSliceVar(&o.roots, "roots", nil, "draw only these roots, with their parts and redundant aggregates: Go names, separated by commas")
	c.Flags().StringVar(&o.focus, "focus", "", "draw only this root and its neighbours: those that it refers to, or that refer to it")
	c.Flags().IntVar(&o.depth, "depth", 1, "with -focus: the number of references to the farthest neighbour")
	c.Flags().BoolVar(&o.dark, "dark", false, "draw light lines on a dark background")
	c.Flags().StringVar(&o.update, "update", "", "replace the Mermaid blocks of this Markdown file")
	c.Flags().BoolVar(&o.check, "check", false, "with -o or -update: write nothing, and fail if a file is missing or stale")
	c.Flags().BoolVar(&o.force, "force", false, "overwrite a file that aml has not written")
	return c
}

// notationLines has a line for each notation.
func notationLines() string {
	var b strings.Builder
	for _, n := range diagram.Notations {
		fmt.Fprintf(&b, "  %-17s %s\n", n, n.Description())
	}
	return b.String()
}

// drawModels draws the models of folders in one picture.
func drawModels(c *cobra.Command, args []string, o options) error {
	if c.Flags().Changed("depth") && o.focus == "" {
		return errors.New("-depth is the distance of the neighbours of a root: add -focus ROOT")
	}
	if o.check && o.output == "" && o.update == "" {
		return errors.New("-check compares a file: add -o FILE or -update FILE")
	}
	if o.update != "" {
		return updateBlocks(c, args, o)
	}
	notation, err := diagram.ParseNotation(o.notation)
	if err != nil {
		return fmt.Errorf("-notation: %w", err)
	}
	if notation.IsText() {
		return drawText(c, args, o)
	}
	return drawPictures(c, args, notation, o)
}
