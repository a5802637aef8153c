package ownfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/site"
)

// ownMarks are the marks of files that aml has written: a comment of SVG, HTML and Markdown, a text chunk of PNG, a meta element of HTML,
// and a comment of CSS and JavaScript. They are near the beginning of a file.
var ownMarks = []string{"<!-- " + diagram.Mark + " -->", "tEXtComment\x00" + diagram.Mark, `<meta name="generator" content="aml">`, site.ScriptMark}

// markedWithin is the number of bytes at the beginning of a file that contain the mark.
const markedWithin = 4096

// WriteOwn writes files, all or none. Without force it overwrites only files that aml has written. A symbolic link stays, and the file
// that it points to is written.
func WriteOwn(c *cobra.Command, files []codegen.File, force bool) error {
	var faults []error
	for i, f := range files {
		faults = append(faults, CheckReplaceable(f.Path, force))
		files[i].Path = Target(f.Path)
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	return Write(c, files)
}

// Target returns the file that a symbolic link points to, or the path itself.
func Target(path string) string {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		return at
	}
	return path
}

// CheckReplaceable returns an error if a file cannot be written: if its folder is missing, if it is a link without its target, or if there is a
// file that aml has not written and force is not set. An empty file can be replaced.
func CheckReplaceable(path string, force bool) error {
	dir := filepath.Dir(path)
	if i, err := os.Stat(dir); err != nil || !i.IsDir() {
		return fmt.Errorf("%s: there is no folder %s: create it, or choose another file", path, dir)
	}
	now, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return CheckLink(path)
	case err != nil:
		return err
	case !now.Mode().IsRegular(): // a pipe or a device may have no end
		return fmt.Errorf("%s exists and is not a regular file: choose another file", path)
	case force || now.Size() == 0:
		return nil
	}
	own, err := isOwn(path)
	if err == nil && !own {
		err = fmt.Errorf("%s exists, and aml has not written it: choose another file, or overwrite it with -force", path)
	}
	return err
}

// isOwn reports whether aml has written a file.
func isOwn(path string) (bool, error) { return HasMark(path, ownMarks...) }

// HasMark reports whether one of the marks is near the beginning of a file.
func HasMark(path string, marks ...string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, markedWithin))
	return slices.ContainsFunc(marks, func(mark string) bool { return bytes.Contains(head, []byte(mark)) }), err
}
