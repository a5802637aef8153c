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
		Short: "Draw the model in a published notation",
		Long: "Draw the model in a published notation:\n\n" + notationLines() + "\n" +
			"The file name chooses the format: .svg or .png, and .md for Mermaid. Without -o the command prints SVG. Several folders are drawn in one\n" +
			"picture, with the references between them. A picture that would be too large to be read becomes an overview and a file\n" +
			"for each root: shop.svg, whose boxes lead to shop-Customer.svg and so on.\n\n" +
			"A file that aml has not written is overwritten only with -force. If the model has faults, nothing is written. The same\n" +
			"model gives the same bytes.",
		RunE: func(c *cobra.Command, args []string) error { return drawModels(c, args, o) },
	}
	c.Flags().StringVar(&o.notation, "notation", string(diagram.AML), "the notation")
	c.Flags().StringVarP(&o.output, "output", "o", "", "the file; without it, SVG is printed")
	c.Flags().StringSliceVar(&o.roots, "roots", nil, "draw only these roots, with their parts and redundant aggregates: Go names, separated by commas")
	c.Flags().BoolVar(&o.dark, "dark", false, "use light lines on a dark background")
	c.Flags().StringVar(&o.update, "update", "", "replace the Mermaid blocks of this Markdown file")
	c.Flags().BoolVar(&o.check, "check", false, "write nothing, and fail if a file is missing or stale")
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
	if isText(notation) {
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
			fmt.Fprintf(c.ErrOrStderr(), "this is an overview: with -o FILE, each of the %d roots has a picture, too\n", len(drawings)-1)
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
	return putOwn(c, files, o)
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
	if err == nil && len(models) == 0 {
		err = errNoModels
	}
	return models, err
}
