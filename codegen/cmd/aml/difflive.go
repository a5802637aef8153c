package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// fromLive adds the options of aml diff for a comparison with a live keyspace.
func fromLive(c *cobra.Command) *cobra.Command {
	var n connection
	from := ""
	n.options(c)
	n.keyspaceOption(c)
	c.Flags().StringVar(&from, "from", "", "live: print the differences between a live keyspace and the model, and write nothing")
	c.Long += "\n\nWith -from live a live keyspace is compared with the model. Each difference is printed as a line, and after them the\n" +
		"statements that change the keyspace to match the model. Tables and types that the folder does not create are listed as\n" +
		"not in the model; they are not differences. Nothing is written; with -check a difference makes the exit code 1."
	args, run := c.Args, c.RunE
	c.Args = func(c *cobra.Command, given []string) error {
		if from != "" {
			for _, name := range []string{"picture", "markdown", "base"} {
				if c.Flags().Changed(name) {
					return fmt.Errorf("-%s and -from live exclude each other: -%[1]s describes the difference between the folder and the model", name)
				}
			}
			return cobra.NoArgs(c, given)
		}
		for _, name := range []string{"hosts", "keyspace", "user", "timeout"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("-%s is only for a live keyspace: add -from live, or leave it out", name)
			}
		}
		return args(c, given)
	}
	c.RunE = func(c *cobra.Command, given []string) error {
		switch from {
		case "":
			return run(c, given)
		case "live":
			return diffLive(c, &n)
		}
		return fmt.Errorf("-from %s: only live is supported; without -from, the folder of migrations is compared", from)
	}
	return c
}

// errDrift is the error of aml diff -from live -check for a keyspace that differs from the model.
var errDrift = errors.New("the keyspace differs from the model")

// diffLive prints the differences between a live keyspace and the model, and the statements that change the keyspace to match
// the model.
func diffLive(c *cobra.Command, n *connection) error {
	dir, err := c.Flags().GetString("dir")
	if err != nil {
		return err
	}
	check, err := c.Flags().GetBool("check")
	if err != nil {
		return err
	}
	if err := errors.Join(n.needKeyspace(), n.needTimeout()); err != nil {
		return err
	}
	_, s, err := read(c, ".")
	if err != nil {
		return err
	}
	own, err := readOwn(dir)
	if err != nil {
		return err
	}
	have, err := n.inspect(c)
	if err != nil {
		return err
	}
	owners, err := n.owners(c, own.name)
	if err != nil {
		return err
	}
	if err := own.markExtra(have, s, owners); err != nil {
		return err
	}
	d, err := driftOf(have, s)
	if err != nil {
		return err
	}
	d.owners = owners
	for _, note := range have.Notes {
		fmt.Fprintln(c.OutOrStdout(), "not in the model:", strings.Join(strings.Fields(note.String()), " "))
	}
	if d.plan != nil {
		for _, h := range d.plan.Hints {
			fmt.Fprintln(c.ErrOrStderr(), h)
		}
	}
	d.print(c.OutOrStdout())
	if len(d.wrong) == 0 {
		fmt.Fprintf(c.OutOrStdout(), "keyspace %s matches the model\n", n.keyspace)
		return nil
	}
	d.printSteps(c)
	if check {
		return errDrift
	}
	return nil
}

// printSteps prints the statements that change the keyspace to match the model, or why there are none.
func (d *drift) printSteps(c *cobra.Command) {
	if d.refused != nil {
		fmt.Fprintf(c.OutOrStdout(), "\nno statements can change the keyspace to match the model:\n%s\n", d.refused)
		return
	}
	fmt.Fprintf(c.OutOrStdout(), "\n-- statements that change the keyspace to match the model; if the folder creates this keyspace, aml diff NAME writes them as a migration\n")
	fmt.Fprint(c.OutOrStdout(), d.plan)
}
