package ownfile

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// listFile is the file of a folder that aml writes. It lists the names of the other files that aml has written.
const listFile = ".aml-docs"

// WriteFolder writes files to a folder, which is created if it is missing: all or none. It removes the files of the last run that
// the new one does not have, and the temporary files of a run that was killed. Without force, a folder or a file that aml has not written
// is an error, even if the file has the name of one of the last run.
func WriteFolder(c *cobra.Command, dir string, files map[string][]byte, force bool) error {
	last, err := replaceableFolder(dir, slices.Collect(maps.Keys(files)), force)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(files))
	list := "# " + diagram.Mark + "\n" + strings.Join(names, "\n") + "\n"
	out := []codegen.File{{Path: filepath.Join(dir, listFile), Data: []byte(list)}}
	for _, n := range names {
		out = append(out, codegen.File{Path: filepath.Join(dir, n), Data: files[n]})
	}
	return commandline.Uninterrupted(c.Context(), func() error {
		created, err := createFolder(dir)
		if err != nil {
			return err
		}
		if err := removeLeftovers(dir, slices.Concat(names, last, []string{listFile})); err != nil {
			return err
		}
		if err := codegen.Write(out); err != nil {
			return errors.Join(err, created.remove())
		}
		return removeOld(dir, last, files)
	})
}

// replaceableFolder returns the names of the files that aml has written to a folder. The error is about files that it has not
// written, if force is not set, about links without their targets, and about a path that is not a folder.
func replaceableFolder(dir string, names []string, force bool) (own []string, err error) {
	if err := CheckFolder(dir); err != nil {
		return nil, fmt.Errorf("%w, or choose another folder with -o", err)
	}
	there, err := os.ReadDir(dir)
	written := slices.Concat(names, []string{listFile})
	there = slices.DeleteFunc(there, func(e os.DirEntry) bool { return codegen.Leftover(e.Name(), written) })
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && len(there) == 0:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s is not a folder that can be read: %w", dir, err)
	}
	own, err = ownNames(dir)
	if err != nil {
		return nil, err
	}
	if own == nil && !force {
		return nil, fmt.Errorf("%s has files, and aml has not written them: choose another folder, or write to it with -force", dir)
	}
	var faults []error
	for _, e := range there {
		if slices.Contains(names, e.Name()) {
			faults = append(faults, CheckReplaceable(filepath.Join(dir, e.Name()), force))
		}
	}
	return own, errors.Join(faults...)
}

// ownNames returns the names in the list of a folder; nil if it has no list of aml.
func ownNames(dir string) ([]string, error) {
	list := filepath.Join(dir, listFile)
	text, err := os.ReadFile(list)
	if errors.Is(err, os.ErrNotExist) {
		return nil, CheckLink(list)
	}
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n"), "\n")
	if err != nil || lines[0] != "# "+diagram.Mark {
		return nil, err
	}
	isName := func(n string) bool { return filepath.IsLocal(n) && filepath.Base(n) == n }
	return slices.DeleteFunc(lines, func(n string) bool { return !isName(n) || n == "." || strings.HasPrefix(n, "#") }), nil
}

// removeLeftovers removes the temporary files that a killed run has left beside the files with the given names.
func removeLeftovers(dir string, names []string) error {
	there, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range there {
		if e.Type().IsRegular() && codegen.Leftover(e.Name(), names) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeOld removes the files of the last run that are not in the new one. A file that aml has not written stays.
func removeOld(dir string, last []string, files map[string][]byte) error {
	var faults []error
	for _, n := range last {
		if _, still := files[n]; still {
			continue
		}
		if i, err := os.Lstat(filepath.Join(dir, n)); err == nil && !i.Mode().IsRegular() { // aml writes regular files only
			continue
		}
		own, err := isOwn(filepath.Join(dir, n))
		if own {
			err = os.Remove(filepath.Join(dir, n))
		}
		if !errors.Is(err, os.ErrNotExist) {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}
