package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/site"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/lint"
)

// docsOptions are the options of aml docs.
type docsOptions struct {
	output     string
	title      string
	migrations string
	force      bool
	serve      bool
	address    string
}

func docsCommand() *cobra.Command {
	var o docsOptions
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
		Args: func(c *cobra.Command, _ []string) error { return docsArgs(c, o) },
		RunE: func(c *cobra.Command, args []string) error {
			if o.serve {
				return serveDocs(c, args, o)
			}
			files, err := buildSite(c, args, o)
			if err != nil {
				return err
			}
			return writeFolder(c, o.output, files, o.force)
		},
	}
	c.Flags().StringVarP(&o.output, "output", "o", "site", "the folder of the site")
	c.Flags().Lookup("output").Annotations = map[string][]string{cobra.BashCompSubdirsInDir: {}}
	c.Flags().StringVar(&o.title, "title", "", "the title of the site; the default is the names of the packages")
	c.Flags().StringVar(&o.migrations, "dir", "migrations", "the folder of the migrations, in the folder of each model")
	c.Flags().BoolVar(&o.force, "force", false, "write to a folder with files that aml has not written, and overwrite them")
	c.Flags().BoolVar(&o.serve, "serve", false, "serve the site on this machine, and build it again when a file changes")
	c.Flags().StringVar(&o.address, "addr", "127.0.0.1:0", "with -serve: the loopback address and the port; port 0 selects a free port")
	return c
}

// buildSite returns the files of a site of the models in folders.
func buildSite(c *cobra.Command, args []string, o docsOptions) (map[string][]byte, error) {
	in := site.Input{Title: o.title}
	err := each(c, args, func(dir string) error {
		m, err := siteModel(c, dir, o.migrations)
		if err == nil {
			in.Models = append(in.Models, m)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return site.Build(in)
}

// siteModel reads the model of a folder, with its warnings and its migrations.
func siteModel(c *cobra.Command, dir, migrations string) (site.Model, error) {
	l, err := readModel(c, dir)
	if err != nil {
		return site.Model{}, err
	}
	m := site.Model{Model: diagram.Model{Model: l.model, Schema: l.schema}, Warnings: model.Sorted(l.faults)}
	at := migrationsOf(dir, migrations)
	if _, err := os.Stat(at); err != nil {
		if c.Flags().Changed("dir") {
			return m, fmt.Errorf("-dir: %w", err)
		}
		return m, nil
	}
	m.Migrations, err = siteMigrations(at)
	return m, err
}

// migrationsOf returns the folder of the migrations of a model. A relative one is in the folder of the model.
func migrationsOf(dir, migrations string) string {
	if filepath.IsAbs(migrations) {
		return migrations
	}
	return filepath.Join(dir, migrations)
}

// siteMigrations reads a folder of migrations with the findings of aml migrate lint.
func siteMigrations(dir string) ([]site.Migration, error) {
	files, err := readFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	found, err := lint.Lint(files)
	if err != nil {
		return nil, inFolder(dir, err)
	}
	return mapped(files, func(f folder.File) site.Migration { return siteMigration(f, found) }), nil
}

// siteMigration returns a file with its statements and directives in their order. A finding is at the last of them that begins at its
// line or before.
func siteMigration(f folder.File, found []lint.Finding) site.Migration {
	m := site.Migration{Name: f.Name}
	for _, s := range f.Statements {
		step := site.Step{Line: s.Line, CQL: s.Text + ";"}
		if s.Func != "" {
			step = site.Step{Line: s.Line, Func: s.Func}
		}
		m.Steps = append(m.Steps, step)
	}
	for _, d := range f.Directives {
		if d.Verb != "func" {
			m.Steps = append(m.Steps, site.Step{Line: d.Line, Directive: strings.TrimSpace(d.Text)})
		}
	}
	sortSteps(m.Steps)
	for _, x := range found {
		if x.File != f.Name {
			continue
		}
		finding := site.Finding{Line: x.Line, Code: x.Code, Message: x.Message, Fix: x.Fix}
		if i := stepAt(m.Steps, x.Line); i >= 0 {
			m.Steps[i].Findings = append(m.Steps[i].Findings, finding)
		} else {
			m.Findings = append(m.Findings, finding)
		}
	}
	return m
}

// sortSteps sorts statements and directives by their lines; a directive at the end of a statement's first line comes after it.
func sortSteps(steps []site.Step) {
	slices.SortStableFunc(steps, func(a, b site.Step) int { return cmp.Compare(a.Line, b.Line) })
}

// stepAt returns the last step that begins at a line or before it; -1 for none.
func stepAt(steps []site.Step, line int) int {
	at := -1
	for i, s := range steps {
		if s.Line <= line {
			at = i
		}
	}
	return at
}
