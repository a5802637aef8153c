package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
)

func migrateVerifyCommand() *cobra.Command {
	var n connection
	c := &cobra.Command{
		Use:   "verify",
		Short: "Replay the folder on a real Cassandra and compare what results with the model",
		Long: "Apply all migrations of the folder, in a keyspace of their own that is dropped again, and compare what results with\n" +
			"the model in the working directory: keys, order, statics, types cell by cell, indexes and properties. Each\n" +
			"difference is a line, and any makes the exit code 1. Without -hosts and CASSANDRA_HOSTS a Cassandra is started as\n" +
			"aml dev does. Functions of Go and backfills are not run. Types of other\n" +
			"folders (-- aml:shared) are created first. Statements that would reach another keyspace are refused\n" +
			"before anything runs.",
		Args: cobra.NoArgs,
	}
	n.options(c)
	c.Flags().StringVar(&n.keyspace, "scratch", "", "the keyspace to try them in, which must not be there and is dropped; by default one of a name that no other has")
	dir := folderOption(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return verify(c, &n, *dir) }
	return c
}

// verification is what verify knows without a server.
type verification struct {
	files    []folder.File
	schema   *schema.Schema
	replayed *catalog.Keyspace // of the files
}

func verify(c *cobra.Command, n *connection, dir string) error {
	if n.keyspace != "" {
		if err := cassandra.CheckKeyspace(n.keyspace); err != nil {
			return fmt.Errorf("-scratch: %w", err)
		}
	}
	if err := n.needTimeout(); err != nil {
		return err
	}
	f, err := readVerified(c, dir)
	if err != nil {
		return err
	}
	server, err := n.serverOr(c)
	if err != nil {
		return err
	}
	if n.keyspace == "" {
		n.keyspace = scratchName()
	}
	live, err := n.replayed(c, dir, f.files, f.replayed.SharedTypes())
	if err = errors.Join(err, server()); err != nil {
		return err
	}
	return f.report(c, live)
}

// readVerified reads the model and the folder, and refuses what is not to be tried.
func readVerified(c *cobra.Command, dir string) (*verification, error) {
	_, s, err := read(c, ".")
	if err != nil {
		return nil, err
	}
	f := &verification{schema: s}
	if err := needFolder(dir); err != nil {
		return nil, err
	}
	if f.files, err = folder.Read(os.DirFS(dir)); err != nil {
		return nil, err
	}
	if len(f.files) == 0 {
		return nil, fmt.Errorf("%s has no migrations: write the first with aml diff NAME", dir)
	}
	if err := folder.CheckContained(f.files); err != nil {
		return nil, fmt.Errorf("nothing was run\n%w", err)
	}
	f.replayed, err = catalog.Replay(f.files)
	return f, err
}

// serverOr makes sure that there is a server, and starts one where none is given. What it gives stops that.
func (n *connection) serverOr(c *cobra.Command) (stop func() error, err error) {
	if n.hosts != "" || os.Getenv("CASSANDRA_HOSTS") != "" {
		return func() error { return nil }, nil
	}
	server, err := cassandra.Start(c.Context(), cassandra.Config{Log: c.ErrOrStderr()})
	if err != nil {
		return nil, err
	}
	n.hosts = strings.Join(server.Hosts(), ",")
	return server.Close, nil
}

// report prints in what the folder, on the server, differs from the model and from what was expected of it.
func (f *verification) report(c *cobra.Command, live *catalog.Keyspace) error {
	out := c.OutOrStdout()
	live.Manual, live.Shared = f.replayed.Manual, f.replayed.Shared
	d, err := driftOf(live, f.schema)
	if err != nil {
		return err
	}
	d.print(out)
	unexpected := catalog.Compare(live, f.replayed)
	for _, x := range unexpected {
		fmt.Fprintln(out, "replayed without a server:", x)
	}
	switch {
	case len(d.wrong) > 0:
		return fmt.Errorf("%d differences: the migrations do not lead to the model; aml diff NAME writes what is missing", len(d.wrong))
	case len(unexpected) > 0:
		return errors.New("the migrations lead to the model, but the server made something else of a statement than aml diff takes it for: write it in another way")
	}
	fmt.Fprintf(out, "the migrations lead to the model: files %d, types %d, tables %d\n", len(f.files), len(f.schema.Types), len(f.schema.Tables))
	return nil
}
