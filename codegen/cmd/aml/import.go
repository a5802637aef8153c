package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/migrate/adopt"
)

func importCommand() *cobra.Command {
	var n connection
	pkg, file := "", "model.go"
	c := &cobra.Command{
		Use:   "import",
		Short: "Write the model of a live keyspace",
		Long: "Write the Go model of a live keyspace: a struct for each table and for each user-defined type, from which aml generate\n" +
			"gives the same schema again. What the language cannot say is left out, as a comment where it would stand and as a\n" +
			"line here. A file that is there is never written over; -o - prints the model.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return importModel(c, &n, pkg, file) },
	}
	n.options(c)
	n.keyspaceOption(c)
	c.Flags().StringVar(&pkg, "package", "", "the name of the package; made of the keyspace's name where it is not given")
	c.Flags().StringVarP(&file, "output", "o", file, "the file to write; - is the standard output")
	return c
}

func importModel(c *cobra.Command, n *connection, pkg, file string) error {
	if pkg == "" {
		pkg = adopt.PackageName(n.keyspace)
	}
	config := adopt.Config{Package: pkg, Keyspace: n.keyspace}
	if err := errors.Join(n.needKeyspace(), config.Check(), absentFile(file)); err != nil {
		return err
	}
	k, err := n.inspect(c)
	if err != nil {
		return err
	}
	if len(k.Tables) == 0 {
		return fmt.Errorf("keyspace %s has no tables to make a model of", n.keyspace)
	}
	m, err := adopt.Adopt(k, config)
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
