package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// ownMarks are the marks of files that aml has written: a comment of SVG, HTML and Markdown, a text chunk of PNG, and a meta element
// of HTML. They are near the beginning of a file.
var ownMarks = []string{"<!-- " + diagram.Mark + " -->", "tEXtComment\x00" + diagram.Mark, `<meta name="generator" content="aml">`}

// markedWithin is the number of bytes at the beginning of a file that contain the mark.
const markedWithin = 4096

// writeOwn writes files, all or none. Without force it overwrites only files that aml has written.
func writeOwn(c *cobra.Command, files []codegen.File, force bool) error {
	var faults []error
	for _, f := range files {
		faults = append(faults, replaceable(f.Path, force))
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	return write(c, files)
}

// replaceable returns an error if a file cannot be written: if its folder is missing, or if there is a file that aml has not
// written and force is not set. An empty file can be replaced.
func replaceable(path string, force bool) error {
	dir := filepath.Dir(path)
	if i, err := os.Stat(dir); err != nil || !i.IsDir() {
		return fmt.Errorf("%s: there is no folder %s: create it, or choose another file", path, dir)
	}
	now, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && len(now) == 0:
		return nil
	case err != nil:
		return err
	case !force && !isOwn(now):
		return fmt.Errorf("%s exists, and aml has not written it: choose another file, or overwrite it with -force", path)
	}
	return nil
}

// isOwn reports whether aml has written a file with this content.
func isOwn(content []byte) bool {
	head := content[:min(len(content), markedWithin)]
	for _, mark := range ownMarks {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}
