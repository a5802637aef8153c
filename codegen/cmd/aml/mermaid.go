package main

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

// writeText writes the models of folders as Mermaid to a Markdown file, or prints them.
func writeText(c *cobra.Command, args []string, o diagramOptions) error {
	switch ext := strings.ToLower(filepath.Ext(o.output)); {
	case o.dark:
		return errors.New("-dark is for pictures: the program that draws Mermaid chooses the colours")
	case o.output != "" && ext != ".md" && ext != ".markdown":
		return fmt.Errorf("-o %s: -notation %s is text for Markdown: use a name that ends in .md", o.output, o.notation)
	}
	models, err := readAll(c, args)
	if err != nil {
		return err
	}
	sections, err := mermaid.Draw(diagram.Notation(o.notation), models, o.roots)
	if err != nil {
		return err
	}
	page := mermaid.Page(sections)
	if o.output == "" {
		_, err := fmt.Fprint(c.OutOrStdout(), page)
		return err
	}
	return putOwn(c, args, []codegen.File{{Path: o.output, Data: []byte(page)}}, o)
}

// putOwn writes files. With -check it compares them instead.
func putOwn(c *cobra.Command, args []string, files []codegen.File, o diagramOptions) error {
	if o.check {
		return stale(files, writing(c, args))
	}
	return writeOwn(c, files, o.force)
}
