package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/server"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/reverse"
)

func importCommand() *cobra.Command {
	var n server.Connection
	var m mermaidImport
	pkg, file := "", "model.go"
	var dir *string
	c := &cobra.Command{
		Use:   "import",
		Short: "Write the model of a live keyspace, or a first model of a diagram",
		Long: "Write the Go model of a live keyspace: a struct for each table and for each user-defined type, from which aml generate\n" +
			"derives the same schema. What the language does not support is omitted, with a comment at its place in the model and a\n" +
			"line of output. Tables that belong to another migration folder are omitted. An existing file is never overwritten; -o\n" +
			"- prints the model.\n\n" +
			"With -mermaid FILE, write a first model of a conceptual one: an erDiagram of Mermaid. No server is needed. Each decision is\n" +
			"a comment in the model, with an alternative. -o is the folder, to which model.go is written. -workload FILE has queries\n" +
			"with their rates, whose tables are entities.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case m.diagram != "":
				return m.run(c, pkg, file)
			case m.workload != "":
				return errors.New("-workload requires -mermaid")
			}
			return importModel(c, &n, pkg, file, *dir)
		},
	}
	dir = migrationfolder.Option(c)
	n.AddOptions(c)
	n.AddKeyspaceOption(c)
	c.Flags().StringVar(&pkg, "package", "", "the name of the package; by default derived from the name of the keyspace, or of the folder")
	c.Flags().StringVarP(&file, "output", "o", file, "the file to write, with -mermaid the folder; - is the standard output")
	c.Flags().StringVar(&m.diagram, "mermaid", "", "read this file of Mermaid instead of a keyspace")
	c.Flags().StringVar(&m.workload, "workload", "", "with -mermaid: SELECTs of entities with their rates")
	return c
}

func importModel(c *cobra.Command, n *server.Connection, pkg, file, dir string) error {
	if pkg == "" {
		pkg = reverse.PackageName(n.Keyspace)
	}
	config := reverse.Config{Package: pkg, Keyspace: n.Keyspace}
	if err := errors.Join(n.CheckKeyspace(), config.Check(), absentFile(file, "file")); err != nil {
		return err
	}
	k, err := n.Inspect(c)
	if err != nil {
		return err
	}
	if err := omitOwned(c, n, k, dir); err != nil {
		return err
	}
	if len(k.Tables) == 0 {
		return fmt.Errorf("keyspace %s has no tables for a model", n.Keyspace)
	}
	m, err := reverse.Adopt(k, config)
	if err != nil {
		return err
	}
	for _, gap := range m.Gaps {
		fmt.Fprintln(c.ErrOrStderr(), "not in the model:", gap)
	}
	if file == "-" {
		_, err := c.OutOrStdout().Write(m.Source)
		return err
	}
	if err := writeNew(file, m.Source, "file"); err != nil {
		return err
	}
	fmt.Fprintln(c.OutOrStdout(), file)
	return nil
}

// absentFile returns an error for an existing file, before it connects to a server.
// other is what -o names: a file or a folder.
func absentFile(file, other string) error {
	if file == "-" {
		return nil
	}
	_, err := os.Lstat(file)
	switch {
	case err == nil:
		return errExists(file, other)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// writeNew writes a new file, completely or not at all.
func writeNew(file string, data []byte, other string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return errExists(file, other)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, os.Remove(file)) // a part of a file is never left
	}
	return err
}

// errExists returns the error for an existing file.
func errExists(file, other string) error {
	return fmt.Errorf("%s already exists, and an existing model is never overwritten: name another %s with -o", file, other)
}

// omitOwned removes the tables of other folders from a keyspace: they are in the models of other packages.
func omitOwned(c *cobra.Command, n *server.Connection, k *catalog.Keyspace, dir string) error {
	own, err := migrationfolder.ReadOwn(dir)
	if err != nil {
		return err
	}
	owners, err := n.Owners(c, own.Name)
	if err != nil {
		return err
	}
	k.Tables = slices.DeleteFunc(k.Tables, func(t *schema.Table) bool {
		of, other := owners["table "+t.Name]
		if other {
			fmt.Fprintf(c.ErrOrStderr(), "not in the model: table %s: it belongs to %s\n", t.Name, migrationfolder.OwnerText(of))
		}
		return other
	})
	for _, u := range k.Types {
		if of, other := owners["type "+u.Name]; other && k.TypeUser(u.Name) != "" {
			fmt.Fprintf(c.ErrOrStderr(), "type %s belongs to %s: use the Go type of its package instead of the struct here\n", u.Name, migrationfolder.OwnerText(of))
		}
	}
	return nil
}
