// Package diffcmd is the command aml diff, which writes the next migration.
package diffcmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Command returns the command aml diff.
func Command() *cobra.Command { return withLive(folderCommand()) }

func folderCommand() *cobra.Command {
	dir, check := "migrations", false
	var name *string
	var beside *[]string
	var report *reportOptions
	c := &cobra.Command{
		Use:   "diff NAME",
		Short: "Write the next migration, from the schema of the folder to the model",
		Long: "Compare the model in the working directory with the schema of the migrations, write the next migration, NNNN_NAME.cql,\n" +
			"and update aml.sum. No server is needed. If there is no difference, nothing is written.\n\n" +
			"was=NAME in a tag is the earlier name of a table, of a column of the key or of a field of a type. Any other renamed\n" +
			"column, and a renamed table, is created and filled, and the earlier one is kept until was= is removed. A change that the\n" +
			"server does not support is rejected at its line, with the tag that makes it a new table or column.\n\n" +
			"If a Go function has to move data, a file migration_NNNN.go is written beside aml_gen.go. The function copies\n" +
			"everything that the two schemas determine. The rest is left to you, and the file does not compile until you have\n" +
			"written it. The findings of aml migrate lint for the new file are printed.\n\n" +
			"Packages that share a keyspace have one folder each, with different names: -name sets the name of a new folder. The\n" +
			"types of structs that another package declares are created by its folder. -beside adds folders to those of the\n" +
			"imported packages.\n\n" +
			"-check writes no migration: it prints the missing statements, and fails if there are any.\n\n" +
			"-picture and -markdown show the difference: tables and types before and after, the statements and the findings. Without\n" +
			"NAME, no migration is written. -base compares with an earlier folder instead, such as that of the branch into which a pull\n" +
			"request is merged: the migrations that it does not have are shown, too. With -, the standard output has only the report.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 0 && !check && !report.wanted() {
				return fmt.Errorf("accepts 1 arg, the name of the migration, received %d", len(args))
			}
			if len(args) == 0 {
				return nil
			}
			_, err := folder.FileName(1, args[0])
			return err
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := report.check(); err != nil {
				return err
			}
			d, err := compareFolder(c, dir, *name, *beside)
			if err != nil {
				return err
			}
			return run(c, d, strings.Join(args, ""), check, report)
		},
	}
	name, beside, report = migrationfolder.NameOption(c), migrationfolder.BesideOption(c), addReportOptions(c)
	c.Flags().StringVar(&dir, "dir", dir, "the folder of the migrations")
	c.Flags().BoolVar(&check, "check", check, "write nothing, and fail if the migrations do not match the model")
	return c
}

// run writes the migration, or with -check compares, and writes the report.
func run(c *cobra.Command, d *difference, name string, check bool, report *reportOptions) error {
	write, err := report.prepare(c, d, name)
	if err != nil {
		return err
	}
	switch {
	case check:
		err = d.check(c)
	case name != "":
		err = d.write(c, name)
	}
	if err != nil && !errors.Is(err, errDifference) {
		return err
	}
	return errors.Join(write(), err)
}
