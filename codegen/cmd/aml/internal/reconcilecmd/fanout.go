package reconcilecmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
)

// FanOutCommand returns the command aml fanout.
func FanOutCommand() *cobra.Command {
	r := &reconciliation{}
	c := &cobra.Command{
		Use:   "fanout [folder]",
		Short: "Let copies of fields follow the fields of other roots",
		Long: "Save the roots with copies of fields of other roots, where the saves that have changed these fields could not: as FanOut of the\n" +
			"store does, which services can run themselves. The command ends when nothing is left, or with -follow when it is interrupted.\n" +
			"Several processes, and services, divide the work among themselves. The model's own code computes rows, so the command builds a\n" +
			"small program with the package of the model, which needs its generated store, and runs it.\n\n" +
			"Copies that cannot follow are lines of the standard error. Without -follow the exit code is then 1.",
		Args: cobra.MaximumNArgs(1),
	}
	r.server.AddOptions(c)
	r.server.AddKeyspaceOption(c)
	r.addFanOutOptions(c)
	c.RunE = func(c *cobra.Command, args []string) error { return r.fanOut(c, modelfolder.Args(args)[0]) }
	return c
}

func (r *reconciliation) addFanOutOptions(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&r.Follow, "follow", false, "go on until the command is interrupted")
	f.IntVar(&r.Parallel, "parallel", 4, "the number of roots whose copies follow at a time")
	f.IntVar(&r.Rate, "rate", 0, "roots with copies examined per second by this process; 0: no limit")
	r.addStoreOptions(c)
}

// checkFanOut returns an error for options that are invalid.
func (r *reconciliation) checkFanOut() error {
	return errors.Join(atLeast("parallel", r.Parallel, 1), atLeast("rate", r.Rate, 0), r.setTTL(), r.server.CheckKeyspace(), r.server.CheckTimeout())
}

func (r *reconciliation) fanOut(c *cobra.Command, dir string) error {
	if err := r.checkFanOut(); err != nil {
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
	if !fansOut(s) {
		return fmt.Errorf("package %s has no fields with copy= of fields that change: there is nothing to fan out", m.Package.Path)
	}
	p, err := r.build(c, hosts, m, s)
	if err != nil {
		return err
	}
	defer p.remove()
	r.FanOut = true
	out := newOutput(c, false, &r.Request)
	err = p.run(c.Context(), r.Request, c.ErrOrStderr(), out.print)
	out.finish()
	fmt.Fprintf(c.OutOrStdout(), "roots served %d, attempts that failed %d\n", out.fan.Served, out.fan.Failed)
	return err
}

// fansOut reports whether roots have copies of fields of other roots that follow them.
func fansOut(s *schema.Schema) bool {
	for _, t := range s.Stored {
		if t.Versioning != nil && t.Versioning.Outboxes != nil {
			return true
		}
	}
	return false
}

// fannedOut prints the error of an attempt that has failed, and draws the bar.
func (o *output) fannedOut(p *program.FanOutProgress) {
	if p.Failed > o.fan.Failed {
		o.bar.Clear()
		fmt.Fprintln(o.c.ErrOrStderr(), p.Err)
	}
	o.fan = *p
	o.bar.Show(fmt.Sprintf("attempts that failed %d, roots served", p.Failed), -1, p.Served)
}
