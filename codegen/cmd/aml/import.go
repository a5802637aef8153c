package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/reverse"
)

func importCommand() *cobra.Command {
	var n connection
	pkg, file := "", "model.go"
	var dir *string
	c := &cobra.Command{
		Use:   "import",
		Short: "Write the model of a live keyspace",
		Long: "Write the Go model of a live keyspace: a struct for each table and for each user-defined type, from which aml generate\n" +
			"gives the same schema again. What the language cannot say is left out, as a comment where it would stand and as a\n" +
			"line here. Tables that belong to another folder of migrations are left out. A file that is there is never written over; -o - prints the model.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return importModel(c, &n, pkg, file, *dir) },
	}
	dir = folderOption(c)
	n.options(c)
	n.keyspaceOption(c)
	c.Flags().StringVar(&pkg, "package", "", "the name of the package; made of the keyspace's name where it is not given")
	c.Flags().StringVarP(&file, "output", "o", file, "the file to write; - is the standard output")
	return c
}

func importModel(c *cobra.Command, n *connection, pkg, file, dir string) error {
	if pkg == "" {
		pkg = reverse.PackageName(n.keyspace)
	}
	config := reverse.Config{Package: pkg, Keyspace: n.keyspace}
	if err := errors.Join(n.needKeyspace(), config.Check(), absentFile(file)); err != nil {
		return err
	}
	k, err := n.inspect(c)
	if err != nil {
		return err
	}
	if err := n.leaveOut(c, k, dir); err != nil {
		return err
	}
	if len(k.Tables) == 0 {
		return fmt.Errorf("keyspace %s has no tables to make a model of", n.keyspace)
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
	if err := writeNew(file, m.Source); err != nil {
		return err
	}
	fmt.Fprintln(c.OutOrStdout(), file)
	return nil
}

// absentFile refuses a file that is there, before a server is asked for what would be written.
func absentFile(file string) error {
	if file == "-" {
		return nil
	}
	_, err := os.Lstat(file)
	switch {
	case err == nil:
		return isThere(file)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// writeNew writes a file that is not there yet.
func writeNew(file string, data []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return isThere(file)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func isThere(file string) error {
	return fmt.Errorf("%s is there already, and a model is never written over: name another file with -o", file)
}

// leaveOut takes the tables of other folders out of a keyspace: they are in the models of other packages.
func (n *connection) leaveOut(c *cobra.Command, k *catalog.Keyspace, dir string) error {
	own, err := readOwn(dir)
	if err != nil {
		return err
	}
	owners, err := n.owners(c, own.name)
	if err != nil {
		return err
	}
	k.Tables = slices.DeleteFunc(k.Tables, func(t *schema.Table) bool {
		of, other := owners["table "+t.Name]
		if other {
			fmt.Fprintf(c.ErrOrStderr(), "not in the model: table %s: it belongs to %s\n", t.Name, ownerText(of))
		}
		return other
	})
	for _, u := range k.Types {
		if of, other := owners["type "+u.Name]; other && k.UserOf(u.Name) != "" {
			fmt.Fprintf(c.ErrOrStderr(), "type %s belongs to %s: use the Go type of its package in place of the struct here\n", u.Name, ownerText(of))
		}
	}
	return nil
}
