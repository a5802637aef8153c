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
		Short: "Work on the folder of migrations, and apply it",
	}
	needsCommand(c)
	dir := "migrations"
	var name *string
	sum := &cobra.Command{
		Use:   "sum",
		Short: "Write aml.sum anew after a migration was written or edited by hand",
		Long: "Write aml.sum anew after a migration was written or edited by hand. A file that a database has applied already\n" +
			"must stay as it is: migrate.Up refuses it by name, whatever aml.sum says.\n\n" +
			"-name gives the folder another name, and -name= takes it away. Do it only before a database has applied the folder: it\n" +
			"looks for the records under the new name.",
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

// needsCommand lets a command that only has others print its help alone, and refuse a name that none of them has.
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

// unknownCommand refuses what is not a command of another, which the library would take for a wish to read about it.
func unknownCommand(c *cobra.Command, name string) error {
	text := fmt.Sprintf("unknown command %q for %q", name, c.CommandPath())
	if like := c.SuggestionsFor(name); len(like) > 0 {
		text += "; did you mean " + strings.Join(like, ", ") + "?"
	}
	return errors.New(text)
}
