package codegen

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is a file to write.
type File struct {
	Path string
	Data []byte
}

// Write writes all files or none: it first writes each to a temporary file in the same folder, and replaces the files when all
// are written. A file that already has its content is not touched, and a file that is replaced keeps its permissions. After an error,
// new files are removed.
func Write(files []File) (err error) {
	var staged []string
	defer func() {
		for _, name := range staged {
			if e := os.Remove(name); e != nil && !errors.Is(e, os.ErrNotExist) {
				err = errors.Join(err, e)
			}
		}
	}()
	changed := files[:0:0]
	for _, f := range files {
		if has(f) {
			continue
		}
		name, err := stage(f)
		if name != "" {
			staged = append(staged, name)
		}
		if err != nil {
			return fmt.Errorf("codegen: write %s: %w", f.Path, err)
		}
		changed = append(changed, f)
	}
	return place(changed, staged)
}

// has reports whether a file has its content already. It reads regular files only: a pipe or a device may have no end.
func has(f File) bool {
	if i, err := os.Stat(f.Path); err != nil || !i.Mode().IsRegular() {
		return false
	}
	now, err := os.ReadFile(f.Path)
	return err == nil && bytes.Equal(now, f.Data)
}

// stage writes a file to a temporary name in the same folder and returns that name.
func stage(f File) (string, error) {
	mode := os.FileMode(0o644)
	switch i, err := os.Stat(f.Path); {
	case err != nil: // a new file
	case !i.Mode().IsRegular():
		return "", errors.New("it exists and is not a regular file")
	default:
		mode = i.Mode().Perm()
	}
	t, err := os.CreateTemp(filepath.Dir(f.Path), "."+filepath.Base(f.Path)+".*")
	if err != nil {
		return "", err
	}
	_, err = t.Write(f.Data)
	return t.Name(), errors.Join(err, t.Chmod(mode), t.Close())
}

// Leftover reports whether name is the name of a temporary file that [Write] leaves beside one of the files if its process is killed.
func Leftover(name string, files []string) bool {
	return slices.ContainsFunc(files, func(f string) bool {
		number, ok := strings.CutPrefix(name, "."+f+".")
		return ok && number != "" && strings.Trim(number, "0123456789") == ""
	})
}

// place moves the staged files to their places. After an error, those already moved are restored.
func place(files []File, staged []string) error {
	var undo []func() error
	for i, f := range files {
		before, err := os.ReadFile(f.Path)
		if err == nil {
			undo = append(undo, func() error { return os.WriteFile(f.Path, before, 0o644) })
		} else {
			undo = append(undo, func() error { return os.Remove(f.Path) })
		}
		if err := os.Rename(staged[i], f.Path); err != nil {
			errs := []error{fmt.Errorf("codegen: write %s: %w", f.Path, err)}
			for _, u := range undo[:i] {
				errs = append(errs, u())
			}
			return errors.Join(errs...)
		}
	}
	return nil
}
