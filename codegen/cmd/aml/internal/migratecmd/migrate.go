// Package migratecmd is the command aml migrate, which writes, checks and applies migrations.
package migratecmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Command returns the command aml migrate.
func Command() *cobra.Command {
	c := &cobra.Command{
		Use:   "migrate",
		Short: "Write, check and apply migrations",
	}
	commandline.NeedSubcommand(c)
	dir := "migrations"
	var name *string
	sum := &cobra.Command{
		Use:   "sum",
		Short: "Update aml.sum after a migration was written or edited by hand",
		Long: "Update aml.sum after a migration was written or edited by hand. A file that a database has applied must not change:\n" +
			"migrate.Up rejects it, and reports its name, even if aml.sum matches.\n\n" +
			"-name changes the name of the folder, and -name= removes it. Do this only before a database has applied the folder: a\n" +
			"run searches for the records under the new name.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := migrationfolder.CheckExists(dir); err != nil {
				return err
			}
			if c.Flags().Changed("name") {
				return commandline.Uninterrupted(c.Context(), func() error { return folder.SetName(dir, *name) })
			}
			if err := commandline.Uninterrupted(c.Context(), func() error { return folder.WriteSum(dir) }); err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
			return nil
		},
	}
	name = sum.Flags().String("name", "", "the name of the folder, for packages that share a keyspace")
	sum.Flags().StringVar(&dir, "dir", dir, "the folder of the migrations")
	c.AddCommand(sum, lintCommand(), newCommand(), statusCommand(), commandline.Cleaning(upCommand()), commandline.Cleaning(verifyCommand()))
	return c
}
