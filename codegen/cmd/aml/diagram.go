package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// diagramOptions are the options of aml diagram.
type diagramOptions struct {
	notation string
	output   string
	roots    []string
	dark     bool
	force    bool
	check    bool
	update   string
}

func diagramCommand() *cobra.Command {
	o := diagramOptions{}
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
	c.Flags().StringVarP(&o.output, "output", "o", "", "the file; without it, SVG or Markdown is printed")
	c.Flags().StringSliceVar(&o.roots, "roots", nil, "draw only these roots, with their parts and redundant aggregates: Go names, separated by commas")
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
		fmt.Fprintf(&b, "  %-17s %s\n", n, n.About())
	}
	return b.String()
}

// drawModels draws the models of folders in one picture.
func drawModels(c *cobra.Command, args []string, o diagramOptions) error {
	if o.check && o.output == "" && o.update == "" {
		return errors.New("-check compares a file: add -o FILE or -update FILE")
	}
	if o.update != "" {
		return updateDiagrams(c, args, o)
	}
	notation, err := diagram.NotationOf(o.notation)
	if err != nil {
		return fmt.Errorf("-notation: %w", err)
	}
	if notation.IsText() {
		return writeText(c, args, o)
	}
	render, err := rendererOf(o.output, o.dark)
	if err != nil {
		return err
	}
	models, err := readAll(c, args)
	if err != nil {
		return err
	}
	options := diagram.Options{Roots: o.roots}
	if o.output != "" {
		options.File = filepath.Base(o.output)
	}
	drawings, err := diagram.Draw(notation, models, options)
	if err != nil {
		return err
	}
	if o.output == "" {
		_, err := c.OutOrStdout().Write(drawings[0].SVG(o.dark))
		if len(drawings) > 1 {
			fmt.Fprintf(c.ErrOrStderr(), "this is an overview: -o FILE also writes a picture of each of the %d roots\n", len(drawings)-1)
		}
		return err
	}
	var files []codegen.File
	for _, d := range drawings {
		data, err := render(d.Picture)
		if err != nil {
			return err
		}
		files = append(files, codegen.File{Path: filepath.Join(filepath.Dir(o.output), d.File(filepath.Base(o.output))), Data: data})
	}
	return putOwn(c, args, files, o)
}

// rendererOf returns the function that renders pictures in the format of a file.
func rendererOf(file string, dark bool) (func(*diagram.Picture) ([]byte, error), error) {
	switch ext := strings.ToLower(filepath.Ext(file)); {
	case file == "" || ext == ".svg":
		return func(p *diagram.Picture) ([]byte, error) { return p.SVG(dark), nil }, nil
	case ext == ".png":
		return func(p *diagram.Picture) ([]byte, error) { return p.PNG(dark) }, nil
	}
	return nil, fmt.Errorf("-o %s: the format is not known: use a name that ends in .svg or .png, or .md with -notation mermaid", file)
}

// readAll reads the models of folders; of those that dir/... finds, only those with a model. All faults are printed.
func readAll(c *cobra.Command, args []string) (models []diagram.Model, err error) {
	err = each(c, args, func(dir string) error {
		m, s, err := read(c, dir)
		if err == nil {
			models = append(models, diagram.Model{Model: m, Schema: s})
		}
		return err
	})
	return models, err
}
