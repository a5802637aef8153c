package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/migrate/folder"
)

func migrateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "migrate",
		Short: "Write, check and apply migrations",
	}
	needsCommand(c)
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
			if err := needFolder(dir); err != nil {
				return err
			}
			if c.Flags().Changed("name") {
				return uninterrupted(c.Context(), func() error { return folder.SetName(dir, *name) })
			}
			if err := uninterrupted(c.Context(), func() error { return folder.WriteSum(dir) }); err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
			return nil
		},
	}
	name = sum.Flags().String("name", "", "the name of the folder, for packages that share a keyspace")
	sum.Flags().StringVar(&dir, "dir", dir, "the folder of the migrations")
	c.AddCommand(sum, lintCommand(), migrateNewCommand(), migrateStatusCommand(), cleaning(migrateUpCommand()), cleaning(migrateVerifyCommand()))
	return c
}

// needsCommand makes a command that only has subcommands print its help without arguments, and reject an unknown subcommand.
func needsCommand(c *cobra.Command) {
	c.SuggestionsMinimumDistance = 2 // letters
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return unknownCommand(c, args[0])
	}
}

// unknownCommand rejects an unknown subcommand, for which the library would only print the help.
func unknownCommand(c *cobra.Command, name string) error {
	text := fmt.Sprintf("unknown command %q for %q", name, c.CommandPath())
	if like := c.SuggestionsFor(name); len(like) > 0 {
		text += "; did you mean " + strings.Join(like, ", ") + "?"
	}
	return errors.New(text)
}
