// Package docscmd is the command aml docs, which writes or serves the site of models.
package docscmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/ownfile"
)

// Command returns the command aml docs.
func Command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "docs [folder...]",
		Short: "Write a site that describes the model",
		Long: "Write a static site that describes the models: diagrams, a page for each aggregate and table, the queries that they answer,\n" +
			"and the migrations with the findings of aml migrate lint. Open index.html in a browser. The site needs no server and loads\n" +
			"nothing from other sites.\n\n" +
			"The next run replaces the files of the site, and removes those that the site no longer has. Other files in the folder stay.\n" +
			"A folder in which aml has written no site, and a file that aml has not written, are written to only with -force. If a model\n" +
			"has faults, nothing is written. The same models produce the same bytes.\n\n" +
			"-serve writes no files. It serves the site on this machine, prints its address, and builds it again when a file of a model,\n" +
			"a go.mod file or a migration changes. Open pages reload. If a model has faults, the pages show them. Ctrl-C ends the command.",
		Args: func(c *cobra.Command, _ []string) error { return checkOptions(c, o) },
		RunE: func(c *cobra.Command, args []string) error {
			if o.serve {
				return serveSite(c, args, o)
			}
			files, err := buildSite(c, args, o)
			if err != nil {
				return err
			}
			return ownfile.WriteFolder(c, o.output, files, o.force)
		},
	}
	c.Flags().StringVarP(&o.output, "output", "o", "site", "the folder of the site")
	c.Flags().Lookup("output").Annotations = map[string][]string{cobra.BashCompSubdirsInDir: {}}
	c.Flags().StringVar(&o.title, "title", "", "the title of the site; the default is the names of the packages or, for more than three packages, the folder that contains them")
	c.Flags().StringVar(&o.migrations, "dir", "migrations", "the folder of the migrations, in the folder of each model")
	c.Flags().StringVar(&o.queries, "queries", "", "a file with SELECTs: draw them on the page of the queries, with their workflow")
	c.Flags().BoolVar(&o.force, "force", false, "write to a folder with files that aml has not written, and overwrite them")
	c.Flags().BoolVar(&o.serve, "serve", false, "serve the site on this machine, and build it again when a file changes")
	c.Flags().StringVar(&o.address, "addr", "127.0.0.1:0", "with -serve: the loopback address and the port; port 0 selects a free port")
	return c
}

// checkOptions refuses options that exclude each other. With -serve, the process waits for the command after a signal, which ends it
// without an error.
func checkOptions(c *cobra.Command, o options) error {
	if !o.serve {
		if c.Flags().Changed("addr") {
			return errors.New("-addr requires -serve: without it, nothing is served")
		}
		return nil
	}
	for _, name := range []string{"output", "force"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("-serve and -%s exclude each other: a site that is served is not written", name)
		}
	}
	commandline.Cleaning(c)
	return nil
}
