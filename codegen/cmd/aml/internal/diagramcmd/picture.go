package diagramcmd

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// drawPictures draws the models of folders in one picture or, if they are too large for it, in several.
func drawPictures(c *cobra.Command, args []string, notation diagram.Notation, o options) error {
	render, err := renderer(o.output, o.dark)
	if err != nil {
		return err
	}
	settings, err := o.settings(notation)
	if err != nil {
		return err
	}
	models, err := readModels(c, args)
	if err != nil {
		return err
	}
	if settings.Workflow, err = o.workflow(models); err != nil {
		return err
	}
	if o.output != "" {
		settings.File = filepath.Base(o.output)
	}
	drawings, err := diagram.Draw(notation, models, settings)
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
	return put(c, args, files, o)
}

// renderer returns the function that renders pictures in the format of a file.
func renderer(file string, dark bool) (func(*diagram.Picture) ([]byte, error), error) {
	switch ext := strings.ToLower(filepath.Ext(file)); {
	case file == "" || ext == ".svg":
		return func(p *diagram.Picture) ([]byte, error) { return p.SVG(dark), nil }, nil
	case ext == ".png":
		return func(p *diagram.Picture) ([]byte, error) { return p.PNG(dark) }, nil
	}
	return nil, fmt.Errorf("-o %s: the format is not known: use a name that ends in .svg or .png, or .md with -notation mermaid", file)
}
