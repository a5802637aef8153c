package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/conceptual"
	"github.com/cassaml/cassaml/migrate/reverse"
)

// mermaidImport are the options of aml import for a conceptual model.
type mermaidImport struct{ diagram, workload string }

// run writes the model of a diagram to model.go in a folder, or to the standard output if it is -.
func (m *mermaidImport) run(c *cobra.Command, pkg, dir string) error {
	if c.Flags().Changed("keyspace") {
		return errors.New("-mermaid reads a file: omit -keyspace")
	}
	if !c.Flags().Changed("output") {
		dir = "."
	}
	if filepath.Ext(dir) == ".go" {
		return fmt.Errorf("-o %s: with -mermaid, -o is a folder, to which model.go is written: write -o %s", dir, filepath.Dir(dir))
	}
	file := filepath.Join(dir, "model.go")
	if dir == "-" {
		file = "-"
	}
	if err := absentFile(file, "folder"); err != nil {
		return err
	}
	if pkg == "" {
		pkg = folderPackage(dir)
	}
	if err := (reverse.Config{Package: pkg}).Check(); err != nil {
		return err
	}
	source, err := m.model(c, pkg)
	if err != nil {
		return err
	}
	if file == "-" {
		_, err := c.OutOrStdout().Write(source)
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := writeNew(file, source, "folder"); err != nil {
		return err
	}
	fmt.Fprintln(c.OutOrStdout(), file)
	return nil
}

// folderPackage returns the name of a package in a folder.
func folderPackage(dir string) string {
	if dir == "-" {
		return "model"
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "model"
	}
	return reverse.PackageName(filepath.Base(abs))
}

// model returns the source of the model. Faults are written to the standard error.
func (m *mermaidImport) model(c *cobra.Command, pkg string) ([]byte, error) {
	text, err := os.ReadFile(m.diagram)
	if err != nil {
		return nil, err
	}
	d, faults := conceptual.Parse(m.diagram, string(text))
	if len(faults) > 0 {
		return nil, reportFaults(c, faults)
	}
	var reads *conceptual.Reads
	if m.workload != "" {
		text, err := os.ReadFile(m.workload)
		if err != nil {
			return nil, err
		}
		if reads, faults = d.Reads(m.workload, string(text)); len(faults) > 0 {
			return nil, reportFaults(c, faults)
		}
	}
	source, faults, err := d.Model(pkg, reads)
	if err == nil && len(faults) > 0 {
		err = reportFaults(c, faults)
	}
	return source, err
}

// reportFaults writes faults to the standard error, and returns the error of a command that has done so.
func reportFaults(c *cobra.Command, faults []conceptual.Fault) error {
	for _, f := range faults {
		fmt.Fprintln(c.ErrOrStderr(), f)
	}
	return commandline.ErrPrinted
}
