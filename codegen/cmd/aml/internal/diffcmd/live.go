package diffcmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/drift"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/migrationfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/server"
)

// withLive adds the options of aml diff for a comparison with a live keyspace.
func withLive(c *cobra.Command) *cobra.Command {
	var n server.Connection
	from := ""
	n.AddOptions(c)
	n.AddKeyspaceOption(c)
	c.Flags().StringVar(&from, "from", "", "live: print the differences between a live keyspace and the model, and write nothing")
	c.Long += "\n\nWith -from live a live keyspace is compared with the model. Each difference is printed as a line, and after them the\n" +
		"statements that change the keyspace to match the model. Tables and types that the folder does not create are listed as\n" +
		"not in the model; they are not differences. Nothing is written; with -check a difference makes the exit code 1."
	args, complete, run := c.Args, c.PreRunE, c.RunE
	c.PreRunE = func(c *cobra.Command, given []string) error {
		if from == "" {
			return nil // the variables of a connection have no effect
		}
		return complete(c, given)
	}
	c.Args = func(c *cobra.Command, given []string) error {
		if from != "" {
			for _, name := range []string{"picture", "markdown", "base"} {
				if c.Flags().Changed(name) {
					return fmt.Errorf("-%s and -from live exclude each other: -%[1]s describes the difference between the folder and the model", name)
				}
			}
			return cobra.NoArgs(c, given)
		}
		names := server.Given(c)
		if c.Flags().Changed("keyspace") {
			names = append(names, "keyspace")
		}
		if len(names) > 0 {
			return fmt.Errorf("-%s is only for a live keyspace: add -from live, or leave it out", names[0])
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
func diffLive(c *cobra.Command, n *server.Connection) error {
	dir, err := c.Flags().GetString("dir")
	if err != nil {
		return err
	}
	check, err := c.Flags().GetBool("check")
	if err != nil {
		return err
	}
	if err := errors.Join(n.CheckKeyspace(), n.CheckTimeout()); err != nil {
		return err
	}
	_, s, err := modelfolder.Read(c, ".")
	if err != nil {
		return err
	}
	own, err := migrationfolder.ReadOwn(dir)
	if err != nil {
		return err
	}
	have, err := n.Inspect(c)
	if err != nil {
		return err
	}
	owners, err := n.Owners(c, own.Name)
	if err != nil {
		return err
	}
	if err := own.MarkExtra(have, s, owners); err != nil {
		return err
	}
	d, err := drift.Compare(have, s)
	if err != nil {
		return err
	}
	d.Owners = owners
	for _, note := range have.Notes {
		fmt.Fprintln(c.OutOrStdout(), "not in the model:", strings.Join(strings.Fields(note.String()), " "))
	}
	if d.Plan != nil {
		for _, h := range d.Plan.Hints {
			fmt.Fprintln(c.ErrOrStderr(), h)
		}
	}
	d.Print(c.OutOrStdout())
	if len(d.Wrong) == 0 {
		fmt.Fprintf(c.OutOrStdout(), "keyspace %s matches the model\n", n.Keyspace)
		return nil
	}
	d.PrintSteps(c.OutOrStdout())
	if check {
		return errDrift
	}
	return nil
}
