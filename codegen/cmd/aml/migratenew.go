package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/migrate/folder"
)

func migrateNewCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Write an empty migration, to be filled in by hand",
		Args:  cobra.ExactArgs(1),
	}
	dir, given := folderOption(c), nameOption(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if _, err := folder.FileName(1, args[0]); err != nil {
			return err
		}
		if name, fresh, err := folderName(c, *dir, *given); err != nil {
			return err
		} else if fresh {
			if err := folder.SetName(*dir, name); err != nil {
				return err
			}
		}
		name, err := folder.New(*dir, args[0])
		if err != nil {
			return fmt.Errorf("%s: %w", *dir, err)
		}
		fmt.Fprintln(c.OutOrStdout(), filepath.Join(*dir, name))
		return nil
	}
	return c
}

// needFolder returns an error for a missing migration folder.
func needFolder(dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("the folder of the migrations: %w; run the command in the folder of the model, or set -dir", err)
	}
	return nil
}

// folderOption adds the flag for the migration folder.
func folderOption(c *cobra.Command) *string {
	return c.Flags().String("dir", "migrations", "the folder of the migrations")
}
