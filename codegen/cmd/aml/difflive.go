package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// fromLive returns aml diff the options with which it looks at a live keyspace in place of the folder.
func fromLive(c *cobra.Command) *cobra.Command {
	var n connection
	from := ""
	n.options(c)
	n.keyspaceOption(c)
	c.Flags().StringVar(&from, "from", "", "live: say in what a live keyspace differs from the model, and write nothing")
	c.Long += "\n\nWith -from live a keyspace is compared in place of the folder: each difference is a line, behind them are the statements\n" +
		"that would lead to the model. Tables and types that the folder does not create are beside the model. Nothing is written; with -check a difference makes the exit code 1."
	args, run := c.Args, c.RunE
	c.Args = func(c *cobra.Command, given []string) error {
		if from != "" {
			return cobra.NoArgs(c, given)
		}
		for _, name := range []string{"hosts", "keyspace", "user", "timeout"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("-%s is about a live keyspace: add -from live, or leave it out; the folder is compared without a server", name)
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
		return fmt.Errorf("-from %s: only live is known; without -from the folder of migrations is compared", from)
	}
	return c
}

// errDrift ends aml diff -from live -check where the keyspace is not what the model asks for.
var errDrift = errors.New("the keyspace differs from the model")

// diffLive prints in what a live keyspace differs from the model, and what would lead from the one to the other.
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
	if err := own.beside(have, s, owners); err != nil {
		return err
	}
	d, err := driftOf(have, s)
	if err != nil {
		return err
	}
	d.owners = owners
	for _, note := range have.Notes {
		fmt.Fprintln(c.OutOrStdout(), "beside the model:", strings.Join(strings.Fields(note.String()), " "))
	}
	if d.plan != nil {
		for _, h := range d.plan.Hints {
			fmt.Fprintln(c.ErrOrStderr(), h)
		}
	}
	d.print(c.OutOrStdout())
	if len(d.wrong) == 0 {
		fmt.Fprintf(c.OutOrStdout(), "keyspace %s is what the model asks for\n", n.keyspace)
		return nil
	}
	d.wayOut(c)
	if check {
		return errDrift
	}
	return nil
}

// wayOut prints the statements that lead to the model, or why none do.
func (d *drift) wayOut(c *cobra.Command) {
	if d.refused != nil {
		fmt.Fprintf(c.OutOrStdout(), "\nno statements lead to the model:\n%s\n", d.refused)
		return
	}
	fmt.Fprintf(c.OutOrStdout(), "\n-- to the model; write it as a migration, with aml diff NAME where the folder leads to this keyspace\n")
	fmt.Fprint(c.OutOrStdout(), d.plan)
}
