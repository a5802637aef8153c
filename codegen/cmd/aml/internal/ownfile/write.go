package ownfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
)

// Write writes files, all or none.
func Write(c *cobra.Command, files []codegen.File) error {
	return commandline.Uninterrupted(c.Context(), func() error { return codegen.Write(files) })
}

// Compare returns an error if a file is missing or stale, with the command that writes it. Ends of lines do not count: Git writes \r\n with
// core.autocrlf.
func Compare(files []codegen.File, command string) error {
	var faults []error
	for _, f := range files {
		there, err := os.ReadFile(f.Path)
		switch {
		case errors.Is(err, os.ErrNotExist):
			faults = append(faults, fmt.Errorf("%s is missing: run %s", f.Path, command))
		case err != nil:
			faults = append(faults, err)
		case !bytes.Equal(lines(there), lines(f.Data)):
			faults = append(faults, fmt.Errorf("%s is stale: run %s", f.Path, command))
		}
	}
	return errors.Join(faults...)
}

// lines returns a text whose lines end with \n.
func lines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
