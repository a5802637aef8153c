// Package reconcilecmd has the commands aml reconcile and aml fanout, which build a program with the package of a model and run it.
package reconcilecmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/ownfile"
)

// Command returns the command aml reconcile.
func Command() *cobra.Command {
	r := &reconciliation{}
	c := &cobra.Command{
		Use:   "reconcile [folder]",
		Short: "Find and repair rows of redundant tables that differ from their roots",
		Long: "Compare the redundant tables of a keyspace with the tables of their roots, and repair what differs, while services write.\n" +
			"Each finding is a line. A row that differs, but was written within -grace, is left for a later run. The model's own code computes rows,\n" +
			"so the command builds a small program with the package of the model, which needs its generated store, and runs it.\n" +
			"Several processes with the same -job divide the work among themselves.\n\n" +
			"-refill empties one redundant table and writes it again from its root. -restamp writes one row of a root without a version,\n" +
			"and its redundant rows, again with a later write time: -restamp 'customers WHERE id = 5'.\n\n" +
			"The exit code is 0 if no drift is left, and 3 if some is: what was not repaired, with -dry-run what was found, and rows\n" +
			"that are left for a later run. With -json each line of the standard output is an object: of kind finding, and at the end\n" +
			"of kind report, or of kind refill.",
		Args: cobra.MaximumNArgs(1),
	}
	r.server.AddOptions(c)
	c.Flags().Lookup("timeout").Usage += "; with -refill also for the builds of indexes"
	r.server.AddKeyspaceOption(c)
	r.addOptions(c)
	c.RunE = func(c *cobra.Command, args []string) error { return r.run(c, modelfolder.Args(args)[0]) }
	return c
}

func (r *reconciliation) run(c *cobra.Command, dir string) error {
	if err := r.check(c); err != nil {
		return err
	}
	hosts, err := r.server.Contacts()
	if err != nil {
		return err
	}
	m, s, err := r.readStore(c, dir)
	if err != nil {
		return err
	}
	if err := r.resolve(s); err != nil {
		return err
	}
	if err := r.confirm(c); err != nil {
		return err
	}
	p, err := r.build(c, hosts, m, s)
	if err != nil {
		return err
	}
	defer p.remove()
	if err := r.awaitIndexes(c); err != nil {
		return err
	}
	out := newOutput(c, r.json, &r.Request)
	if err := p.run(c.Context(), r.Request, c.ErrOrStderr(), out.print); err != nil {
		out.finish()
		return err
	}
	return out.end()
}

// build connects, and builds the program of a model.
func (r *reconciliation) build(c *cobra.Command, hosts []string, m *model.Model, s *schema.Schema) (*built, error) {
	session, err := r.server.Open(c.Context(), r.server.Keyspace) // its errors are about the command line, so the program is not built yet
	if err != nil {
		return nil, err
	}
	session.Close()
	r.Connection = *r.server.Describe(hosts, r.server.Keyspace)
	return build(c.Context(), r.place.Dir, mainSource(m, s, r.Config), r.Driver)
}

// readStore reads a model, and returns an error if its generated store is missing or stale, because it is compiled.
func (r *reconciliation) readStore(c *cobra.Command, dir string) (*model.Model, *schema.Schema, error) {
	m, s, err := modelfolder.Read(c, dir)
	if err != nil {
		return nil, nil, err
	}
	if m.Package.Name == "main" {
		return nil, nil, fmt.Errorf("package %s is a program, which no other program can import: move the model to a package of its own", m.Package.Path)
	}
	if len(roots(s)) == 0 {
		return nil, nil, fmt.Errorf("package %s has no redundant tables, no parts and no versions: there is nothing to reconcile", m.Package.Path)
	}
	if err := r.find(c, dir, m); err != nil {
		return nil, nil, err
	}
	source, faults, err := codegen.Generate(m, s, r.Config)
	switch {
	case err != nil:
		return nil, nil, err
	case len(faults) > 0:
		return nil, nil, modelfolder.Diagnostics(faults)
	}
	command := "aml generate"
	if r.Prefix != "" {
		command += " -prefix " + ownfile.Quote(r.Prefix)
	}
	if dir != "." {
		command += " " + ownfile.Quote(dir)
	}
	if err := ownfile.Compare([]codegen.File{{Path: r.place.File(), Data: source}}, command); err != nil {
		return nil, nil, fmt.Errorf("%w; if it was generated with -prefix, add the same -prefix", err)
	}
	return m, s, nil
}

// find sets the place of the store of a model, and its driver.
func (r *reconciliation) find(c *cobra.Command, dir string, m *model.Model) (err error) {
	if r.place, err = modelfolder.FindStore(dir); err != nil {
		return err
	}
	if r.Package, err = r.place.Resolve(c.Context(), m); err != nil {
		return err
	}
	r.Driver, err = r.place.Driver()
	return err
}

// resolve finds the tables of the command line in the schema.
func (r *reconciliation) resolve(s *schema.Schema) (err error) {
	switch {
	case r.refill != "":
		r.Refill, err = newRefill(s, r.refill)
	case r.restamp != "":
		r.Restamp, err = newRestamp(s, r.restamp, r.above)
	default:
		for _, name := range r.Tables {
			err = errors.Join(err, checkRoot(s, "tables", name))
		}
	}
	return err
}
