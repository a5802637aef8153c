package docscmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/site"
)

// options are the options of aml docs.
type options struct {
	output     string
	title      string
	migrations string
	queries    string
	force      bool
	serve      bool
	address    string
}

// buildSite returns the files of a site of the models in folders.
func buildSite(c *cobra.Command, args []string, o options) (map[string][]byte, error) {
	in := site.Input{Title: o.title}
	err := modelfolder.Each(c, args, func(dir string) error {
		m, err := siteModel(c, dir, o.migrations)
		if err == nil {
			in.Models = append(in.Models, m)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if o.queries != "" {
		if len(in.Models) != 1 {
			return nil, errors.New("-queries needs one folder: the queries are those of one store")
		}
		m := &in.Models[0]
		if m.Queries, err = modelfolder.Queries(o.queries, m.Model.Model, m.Schema); err != nil {
			return nil, err
		}
	}
	return site.Build(in)
}

// siteModel reads the model of a folder, with its warnings and its migrations.
func siteModel(c *cobra.Command, dir, migrations string) (site.Model, error) {
	l, err := modelfolder.ReadModel(c, dir)
	if err != nil {
		return site.Model{}, err
	}
	m := site.Model{Model: diagram.Model{Model: l.Model, Schema: l.Schema}, Warnings: model.Sorted(l.Faults)}
	at := migrationFolder(dir, migrations)
	if _, err := os.Stat(at); err != nil {
		if c.Flags().Changed("dir") {
			return m, fmt.Errorf("-dir: %w", err)
		}
		return m, nil
	}
	m.Migrations, err = readMigrations(at)
	return m, err
}

// migrationFolder returns the folder of the migrations of a model. A relative one is in the folder of the model.
func migrationFolder(dir, migrations string) string {
	if filepath.IsAbs(migrations) {
		return migrations
	}
	return filepath.Join(dir, migrations)
}
