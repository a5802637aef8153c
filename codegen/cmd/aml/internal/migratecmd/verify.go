package migratecmd

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/drift"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/server"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
)

func verifyCommand() *cobra.Command {
	var n server.Connection
	c := &cobra.Command{
		Use:   "verify",
		Short: "Apply the folder on a real Cassandra and compare the result with the model",
		Long: "Apply all migrations of the folder in a temporary keyspace, which is dropped at the end, and compare the result with\n" +
			"the model in the working directory: keys, order, static columns, types cell by cell, indexes and properties. Each\n" +
			"difference is a line, and any difference makes the exit code 1. Without contact points a Cassandra is\n" +
			"started as by aml dev. Go functions and backfills are not run. Types of other folders (-- aml:shared) are created\n" +
			"first. Statements for another keyspace are rejected before anything runs.",
		Args: cobra.NoArgs,
	}
	n.AddOptions(c)
	c.Flags().StringVar(&n.Keyspace, "scratch", "", "the temporary keyspace, which must not exist and is dropped at the end; by default it has a unique name")
	dir := migrationfolder.Option(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return verify(c, &n, *dir) }
	return c
}

// verification has the inputs of verify, which need no server.
type verification struct {
	files    []folder.File
	schema   *schema.Schema
	replayed *catalog.Keyspace // the schema of the files
}

func verify(c *cobra.Command, n *server.Connection, dir string) error {
	if n.Keyspace != "" {
		if err := cassandra.CheckKeyspace(n.Keyspace); err != nil {
			return fmt.Errorf("-scratch: %w", err)
		}
	}
	if err := errors.Join(n.CheckTimeout(), n.NeedsServer(c)); err != nil {
		return err
	}
	f, err := readVerified(c, dir)
	if err != nil {
		return err
	}
	server, err := start(c, n)
	if err != nil {
		return err
	}
	if n.Keyspace == "" {
		n.Keyspace = scratchName()
	}
	live, err := replay(c, n, dir, f.files, f.replayed.SharedTypes())
	if err = errors.Join(err, server()); err != nil {
		return err
	}
	return f.report(c, live)
}

// readVerified reads the model and the folder, and rejects migrations that must not run in a temporary keyspace.
func readVerified(c *cobra.Command, dir string) (*verification, error) {
	_, s, err := modelfolder.Read(c, ".")
	if err != nil {
		return nil, err
	}
	f := &verification{schema: s}
	if err := migrationfolder.CheckExists(dir); err != nil {
		return nil, err
	}
	if f.files, err = folder.Read(os.DirFS(dir)); err != nil {
		return nil, err
	}
	if len(f.files) == 0 {
		return nil, fmt.Errorf("%s has no migrations: write the first with aml diff NAME", dir)
	}
	if err := folder.CheckContained(f.files); err != nil {
		return nil, fmt.Errorf("no migration was run\n%w", err)
	}
	f.replayed, err = catalog.Replay(f.files)
	return f, err
}

// start starts a server if the command line has none. The returned function stops it.
func start(c *cobra.Command, n *server.Connection) (stop func() error, err error) {
	if n.Hosts != "" {
		return func() error { return nil }, nil
	}
	server, err := cassandra.Start(c.Context(), cassandra.Config{Log: c.ErrOrStderr()})
	if err != nil {
		return nil, err
	}
	n.Hosts = strings.Join(server.Hosts(), ",")
	return server.Close, nil
}

// report prints the differences of the folder, on the server, from the model and from the replay without a server.
func (f *verification) report(c *cobra.Command, live *catalog.Keyspace) error {
	out := c.OutOrStdout()
	live.Manual, live.Shared = f.replayed.Manual, f.replayed.Shared
	d, err := drift.Compare(live, f.schema)
	if err != nil {
		return err
	}
	d.Print(out)
	unexpected := catalog.Compare(live, f.replayed)
	for _, x := range unexpected {
		fmt.Fprintln(out, "expected from the replay:", x)
	}
	switch {
	case len(d.Wrong) > 0:
		return fmt.Errorf("%d differences: the migrations do not match the model; write the next one with aml diff NAME", len(d.Wrong))
	case len(unexpected) > 0:
		return errors.New("the migrations match the model, but the server interprets a statement differently than aml diff: write the statement in another form")
	}
	fmt.Fprintf(out, "the migrations match the model: files %d, types %d, tables %d\n", len(f.files), len(f.schema.Types), len(f.schema.Tables))
	return nil
}
