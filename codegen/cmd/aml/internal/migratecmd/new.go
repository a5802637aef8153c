package migratecmd

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/migrate/folder"
)

func newCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Write an empty migration, to be filled in by hand",
		Args:  cobra.ExactArgs(1),
	}
	dir, given := migrationfolder.Option(c), migrationfolder.NameOption(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if _, err := folder.FileName(1, args[0]); err != nil {
			return err
		}
		if name, fresh, err := migrationfolder.ReadName(c, *dir, *given); err != nil {
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
