package migrationfolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/migrate/folder"
)

// CheckExists returns an error for a missing migration folder.
func CheckExists(dir string) error {
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("the folder of the migrations: %w; run the command in the folder of the model, or set -dir", err)
	}
	return nil
}

// Read reads the migrations. A missing folder has none.
func Read(dir string) ([]folder.File, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return folder.Read(os.DirFS(dir))
}

// AddFolder adds the folder to the file name in an error.
func AddFolder(dir string, err error) error {
	if e, ok := errors.AsType[*folder.SyntaxError](err); ok && e.File != "" {
		e.File = filepath.Join(dir, e.File)
	}
	return err
}

// CheckSum returns an error for a folder that has migrations and no aml.sum.
func CheckSum(dir string, files []folder.File) error {
	_, err := os.Stat(filepath.Join(dir, folder.SumFile))
	if len(files) == 0 || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s has no %s, which is needed to detect edited files: restore it, "+
		"or create it for the current files with aml migrate sum", dir, folder.SumFile)
}

// ReadName returns the name of a folder: the recorded name, or for a new folder the name on the command line.
func ReadName(c *cobra.Command, dir, given string) (name string, fresh bool, err error) {
	files, err := Read(dir)
	if err != nil {
		return "", false, err
	}
	if name, err = folder.Name(os.DirFS(dir)); err != nil {
		return "", false, fmt.Errorf("%s: %w", dir, err)
	}
	switch {
	case !c.Flags().Changed("name") || given == name:
		return name, false, nil
	case name != "":
		return "", false, fmt.Errorf("%s has the name %s, and databases record it by this name; before any database has applied it, aml migrate sum -name %s changes the name", dir, name, given)
	case len(files) > 0:
		return "", false, fmt.Errorf("%s has migrations and no name, and databases record it without a name; before any database has applied it, aml migrate sum -name %s sets the name", dir, given)
	}
	return given, true, folder.CheckName(given)
}
