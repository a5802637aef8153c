package diagramcmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/diagram/mermaid"
)

// drawText writes the models of folders as Mermaid to a Markdown file, or prints them.
func drawText(c *cobra.Command, args []string, o options) error {
	switch ext := strings.ToLower(filepath.Ext(o.output)); {
	case o.dark:
		return errors.New("-dark is for pictures: the program that draws Mermaid chooses the colours")
	case o.output != "" && ext != ".md" && ext != ".markdown":
		return fmt.Errorf("-o %s: -notation %s is text for Markdown: use a name that ends in .md", o.output, o.notation)
	}
	settings, err := o.settings(diagram.Notation(o.notation))
	if err != nil {
		return err
	}
	models, err := readModels(c, args)
	if err != nil {
		return err
	}
	sections, err := mermaid.Draw(diagram.Notation(o.notation), models, settings)
	if err != nil {
		return err
	}
	page := mermaid.Page(sections)
	if o.output == "" {
		_, err := fmt.Fprint(c.OutOrStdout(), page)
		return err
	}
	return put(c, args, []codegen.File{{Path: o.output, Data: []byte(page)}}, o)
}
