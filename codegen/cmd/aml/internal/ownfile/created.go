package ownfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
)

// WriteInFolders writes files, all or none, and creates their folders. After an error, the folders that it has created are removed.
func WriteInFolders(c *cobra.Command, files []codegen.File) error {
	return commandline.Uninterrupted(c.Context(), func() error {
		var created createdFolders
		for _, f := range files {
			more, err := createFolder(filepath.Dir(f.Path))
			created = append(more, created...)
			if err != nil {
				return errors.Join(err, created.remove())
			}
		}
		if err := codegen.Write(files); err != nil {
			return errors.Join(err, created.remove())
		}
		return nil
	})
}

// createdFolders are the folders that a run has created, the innermost first.
type createdFolders []string

// createFolder creates a folder and those above it.
func createFolder(dir string) (createdFolders, error) {
	var missing createdFolders
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, os.ErrNotExist) {
			break
		}
		missing = append(missing, at)
	}
	return missing, os.MkdirAll(dir, 0o755)
}

// remove removes the folders, which are empty after a write that has failed, or were not created.
func (c createdFolders) remove() error {
	for _, dir := range c {
		if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// CheckFolder returns an error if a folder neither exists nor can be created, because a file or a symbolic link without its target has the path of
// the folder or of one above it.
func CheckFolder(dir string) error {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			return checkIsFolder(at)
		}
	}
}

func checkIsFolder(path string) error {
	if err := CheckLink(path); err != nil {
		return err
	}
	if there, err := os.Stat(path); err == nil && !there.IsDir() {
		return fmt.Errorf("%s is a file, and not a folder: move it", path)
	}
	return nil // any other error is one of the write
}

// CheckLink returns an error if a path is a symbolic link whose target does not exist.
func CheckLink(path string) error {
	to, err := os.Readlink(path)
	if err != nil {
		return nil //nolint:nilerr // it is no link
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is a symbolic link to %s, which does not exist: create it, or remove the link", path, to)
	}
	return nil
}
