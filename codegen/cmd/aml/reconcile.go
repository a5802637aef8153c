package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
)

// reconciliation is the command line of aml reconcile.
type reconciliation struct {
	connection
	codegen.Config
	program.Request // without the connection

	ttl     map[string]string
	refill  string
	restamp string
	above   string
	yes     bool
	json    bool
}

func reconcileCommand() *cobra.Command {
	r := &reconciliation{}
	c := &cobra.Command{
		Use:   "reconcile [folder]",
		Short: "Find and repair rows of redundant tables that differ from their roots",
		Long: "Compare the redundant tables of a keyspace with the tables of their roots, and repair what differs, while services write.\n" +
			"Each finding is a line. A row that differs, but was written within -grace, is left for a later run. The model's own code computes rows,\n" +
			"so the command builds a small program with the package of the model, which needs its generated store, and runs it.\n" +
			"Several processes with the same -share divide the work among themselves.\n\n" +
			"-refill empties one redundant table and writes it again from its root. -restamp writes one row of a root without a version,\n" +
			"and its redundant rows, again with a later write time: -restamp 'customers WHERE id = 5'.\n\n" +
			"The exit code is 0 if no drift is left, and 3 if some is: what was not repaired, with -dry-run what was found, and rows\n" +
			"that are left for a later run. With -json each line of the standard output is an object: of kind finding, and at the end\n" +
			"of kind report, or of kind refill.",
		Args: cobra.MaximumNArgs(1),
	}
	r.connection.options(c)
	c.Flags().Lookup("timeout").Usage += "; with -refill also for the builds of indexes"
	r.keyspaceOption(c)
	r.options(c)
	c.RunE = func(c *cobra.Command, args []string) error { return r.run(c, folders(args)[0]) }
	return c
}

// options adds the flags that are not about the connection.
func (r *reconciliation) options(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&r.DryRun, "dry-run", false, "only report what differs")
	f.StringSliceVar(&r.Tables, "tables", nil, "the tables of the roots, table,…; by default all")
	f.DurationVar(&r.Grace, "grace", 10*time.Minute, "how long ago a row must have been written to be repaired")
	f.IntVar(&r.Parallel, "parallel", 4, "the number of slices that are read at a time")
	f.IntVar(&r.Rate, "rate", 0, "rows read per second by this process; 0: no limit")
	f.StringVar(&r.Share, "share", "", "the name of a run that several processes carry out together; each run needs a new name")
	f.IntVar(&r.Slices, "slices", 256, "the number of slices of the token ring")
	f.BoolVar(&r.LocalSerial, "local-serial", false, "use LOCAL_SERIAL, if mapper.Config.Serial of the services is LOCAL_SERIAL")
	f.StringToStringVar(&r.ttl, "ttl", nil, "mapper.Config.TTL of the services, for ttl=$name: name=duration,…")
	f.StringVar(&r.refill, "refill", "", "empty this redundant table and write it again")
	f.BoolVar(&r.yes, "yes", false, "refill without asking")
	f.StringVar(&r.restamp, "restamp", "", "write this row again with a later write time: 'TABLE WHERE CONDITION'")
	f.StringVar(&r.above, "above", "", "the time that the new write time must exceed: RFC 3339, or microseconds since 1970")
	prefixOption(c, &r.Config)
	jsonOption(c, &r.json)
}

// comparing are the options of a comparison of tables, which -refill and -restamp do not have.
var comparing = []string{"dry-run", "tables", "grace", "parallel", "rate", "share", "slices"}

// check returns an error for options that are invalid or contradict each other.
func (r *reconciliation) check(c *cobra.Command) error {
	set := c.Flags().Changed
	var bad []error
	if set("refill") && set("restamp") {
		bad = append(bad, errors.New("-refill and -restamp exclude each other: run one after the other"))
	}
	for _, with := range []string{"refill", "restamp"} {
		for _, name := range comparing {
			if set(with) && set(name) {
				bad = append(bad, fmt.Errorf("-%s is for a comparison of tables: leave it out, or leave out -%s", name, with))
			}
		}
	}
	if set("above") && !set("restamp") {
		bad = append(bad, errors.New("-above is for -restamp 'TABLE WHERE CONDITION': add it, or leave -above out"))
	}
	if set("yes") && !set("refill") {
		bad = append(bad, errors.New("-yes is for -refill TABLE: add it, or leave -yes out"))
	}
	bad = append(bad, r.checkValues(c), r.needKeyspace(), r.needTimeout())
	return errors.Join(bad...)
}

// setTTL parses the option -ttl, which has the TTLs of the configuration of the services.
func (r *reconciliation) setTTL() error {
	r.TTL = map[string]time.Duration{}
	for name, text := range r.ttl {
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("-ttl %s=%s: write a duration like 48h", name, text)
		}
		r.TTL[name] = d
	}
	return nil
}

// checkValues returns an error for values that are out of range, and for empty names.
func (r *reconciliation) checkValues(c *cobra.Command) error {
	var bad []error
	for _, name := range []string{"tables", "share", "refill", "restamp", "above"} {
		if f := c.Flags().Lookup(name); f.Changed && strings.Trim(f.Value.String(), "[]") == "" {
			bad = append(bad, fmt.Errorf("-%s is empty: add a value, or leave it out", name))
		}
	}
	if err := r.setTTL(); err != nil {
		bad = append(bad, err)
	}
	if r.Grace < time.Minute {
		bad = append(bad, fmt.Errorf("-grace %v: use 1m or more, because the servers can complete a write after this time", r.Grace))
	}
	for _, n := range []struct {
		name         string
		value, least int
	}{{"parallel", r.Parallel, 1}, {"rate", r.Rate, 0}, {"slices", r.Slices, 1}} {
		if n.value < n.least {
			bad = append(bad, fmt.Errorf("-%s %d: use %d or more", n.name, n.value, n.least))
		}
	}
	return errors.Join(bad...)
}

func (r *reconciliation) run(c *cobra.Command, dir string) error {
	if err := r.check(c); err != nil {
		return err
	}
	hosts, err := r.contacts()
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
	session, err := r.open(c.Context(), r.keyspace) // before the program is built: its errors are about the command line
	if err != nil {
		return err
	}
	session.Close()
	r.Connection = *r.described(hosts, r.keyspace)
	p, err := build(c.Context(), dir, mainOf(m, s, r.Prefix))
	if err != nil {
		return err
	}
	defer p.remove()
	if err := r.awaitIndexes(c); err != nil {
		return err
	}
	out := newReconcileOutput(c, r)
	if err := p.run(c.Context(), r.Request, c.ErrOrStderr(), out.take); err != nil {
		out.finish()
		return err
	}
	return out.end()
}

// readStore reads a model, and returns an error if its generated store is missing or stale, because it is compiled.
func (r *reconciliation) readStore(c *cobra.Command, dir string) (*model.Model, *schema.Schema, error) {
	m, s, err := read(c, dir)
	if err != nil {
		return nil, nil, err
	}
	if m.Package.Name == "main" {
		return nil, nil, fmt.Errorf("package %s is a program, which no other program can import: move the model to a package of its own", m.Package.Path)
	}
	if len(reconciled(s)) == 0 {
		return nil, nil, fmt.Errorf("package %s has no redundant tables, no parts and no versions: there is nothing to reconcile", m.Package.Path)
	}
	source, faults, err := codegen.Generate(m, s, r.Config)
	switch {
	case err != nil:
		return nil, nil, err
	case len(faults) > 0:
		return nil, nil, modelError(faults)
	}
	command := "aml generate"
	if r.Prefix != "" {
		command += " -prefix " + shellWord(r.Prefix)
	}
	if dir != "." {
		command += " " + shellWord(dir)
	}
	if err := stale([]codegen.File{{Path: filepath.Join(dir, load.Generated), Data: source}}, command); err != nil {
		return nil, nil, fmt.Errorf("%w; if it was generated with -prefix, add the same -prefix", err)
	}
	return m, s, nil
}

// reconciled returns the tables of the roots that Reconcile of the store compares.
func reconciled(s *schema.Schema) (tables []*schema.Table) {
	for _, t := range s.Stored {
		if t.Derived == nil && t.Aggregate.IsSource() && (len(t.Projections) > 0 || len(t.Aggregate.Parts) > 0 || t.Versioning != nil) {
			tables = append(tables, t)
		}
	}
	return tables
}

// resolve finds the tables of the command line in the schema.
func (r *reconciliation) resolve(s *schema.Schema) (err error) {
	switch {
	case r.refill != "":
		r.Refill, err = refillOf(s, r.refill)
	case r.restamp != "":
		r.Restamp, err = restampOf(s, r.restamp, r.above)
	default:
		for _, name := range r.Tables {
			err = errors.Join(err, checkRoot(s, "tables", name))
		}
	}
	return err
}

// checkRoot returns an error if a table is not that of a root that is reconciled.
func checkRoot(s *schema.Schema, option, table string) error {
	var names []string
	for _, t := range reconciled(s) {
		if t.Name == table {
			return nil
		}
		names = append(names, t.Name)
	}
	if p := projectionTo(s, table); p != nil {
		return fmt.Errorf("-%s: %s is a redundant table of %s: use %[3]s", option, table, p.Source.Name)
	}
	return fmt.Errorf("-%s: %s is not the table of a root with redundant tables, parts or a version: use one of %s", option, table, strings.Join(names, ", "))
}

// projectionTo returns the projection that writes a redundant table; nil for any other table.
func projectionTo(s *schema.Schema, table string) *schema.Projection {
	for _, t := range s.Stored {
		for _, p := range t.Projections {
			if p.Table.Name == table {
				return p
			}
		}
	}
	return nil
}

func refillOf(s *schema.Schema, table string) (*program.Refill, error) {
	if p := projectionTo(s, table); p != nil {
		return &program.Refill{Table: table, CQL: model.Quote(table), Root: rootName(p.Source)}, nil
	}
	var names []string
	for _, t := range s.Stored {
		for _, p := range t.Projections {
			names = append(names, p.Table.Name)
		}
	}
	if names == nil {
		return nil, errors.New("-refill: the model has no redundant tables")
	}
	slices.Sort(names)
	return nil, fmt.Errorf("-refill: %s is not a redundant table: use one of %s", table, strings.Join(names, ", "))
}
