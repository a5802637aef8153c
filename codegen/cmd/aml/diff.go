package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/migrate"
)

func diffCommand() *cobra.Command {
	dir := "migrations"
	c := &cobra.Command{
		Use:   "diff NAME",
		Short: "Write the migration that leads to the model",
		Long: "Write the first migration of the model in the working directory, 0001_NAME.cql, and aml.sum beside it. A folder\n" +
			"that has migrations already is refused: this version does not compute what has changed since.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return diff(c, dir, args[0]) },
	}
	c.Flags().StringVar(&dir, "dir", dir, "the folder of the migrations")
	return c
}

func diff(c *cobra.Command, dir, name string) error {
	_, s, err := read(c, ".")
	if err != nil {
		return err
	}
	number, err := next(dir)
	if err != nil {
		return err
	}
	file, err := migrate.FileName(number, name)
	if err != nil {
		return err
	}
	if number > 1 {
		return fmt.Errorf("%s has migrations already: a difference to them is not computed yet, write %s by hand and run aml migrate sum", dir, filepath.Join(dir, file))
	}
	if err := migrate.WriteFile(dir, file, s.Statements()); err != nil {
		return err
	}
	fmt.Fprintln(c.OutOrStdout(), filepath.Join(dir, file))
	return nil
}

// next gives the number of the next migration; a folder that is not there has none.
func next(dir string) (int, error) {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return 1, nil
	}
	return migrate.Next(os.DirFS(dir))
}
