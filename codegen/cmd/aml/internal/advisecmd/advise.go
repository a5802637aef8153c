// Package advisecmd is the command aml advise, which orders the designs of the relationships of a model by their cost for a workload.
package advisecmd

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
)

// options are the options of the command.
type options struct {
	workload string
	weights  string
	diff     int
}

// Command returns the command aml advise.
func Command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "advise [folder]",
		Short: "Order the designs of each relationship by their cost for a workload",
		Long: "Order the designs of each relationship of a model by their cost for a workload, and report the queries that no table\n" +
			"answers and the redundant tables that no query reads. The workload is a file of SELECTs, as for aml check -queries, with\n" +
			"comments:\n\n" +
			"  -- aml:rate 500/s                          above a SELECT: how often it is sent\n" +
			"  -- aml:priority 1                          above a SELECT: its place in the report\n" +
			"  -- aml:write Customer.Vehicles add 5/s     an operation of aml alternatives\n" +
			"  -- aml:write Customer.Update 20/s          Insert, Update or Delete of a root\n\n" +
			"The cost is the sum of rate x requests x processor time of that kind of request. The requests are those of aml\n" +
			"alternatives, the times those of docs/performance.md or of the file of -weights. One relationship is changed at a time.\n" +
			"The model is not changed: -diff N prints the edit of proposal N.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return run(c, modelfolder.Args(args)[0], &o) },
	}
	c.Flags().StringVar(&o.workload, "workload", "", "the file of the workload")
	c.Flags().StringVar(&o.weights, "weights", "", "a JSON file with the microseconds of processor time of each kind of request")
	c.Flags().IntVar(&o.diff, "diff", 0, "print only the edit of the model for the proposal with this number")
	return c
}

func run(c *cobra.Command, dir string, o *options) error {
	if o.workload == "" {
		return errors.New("-workload is missing: name a file of SELECTs with their rates")
	}
	weights, err := readWeights(o.weights)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(o.workload)
	if err != nil {
		return fmt.Errorf("-workload: %w", err)
	}
	w, faults := advise.Parse(o.workload, string(text))
	if len(faults) > 0 {
		return printFaults(c, faults)
	}
	if _, err := modelfolder.ReadModel(c, dir); err != nil {
		return err
	}
	var files *load.Files
	err = commandline.Uninterrupted(c.Context(), func() (err error) {
		files, err = load.Read(c.Context(), dir)
		return err
	})
	if err != nil {
		return err
	}
	report, faults, err := advise.New(files, w, weights)
	switch {
	case err != nil:
		return err
	case len(faults) > 0:
		return printFaults(c, faults)
	case o.diff == 0:
		_, err = fmt.Fprint(c.OutOrStdout(), report.Text(weights))
		return err
	}
	p := report.Proposal(o.diff)
	if p == nil {
		return fmt.Errorf("-diff: there is no proposal %d: run the command without -diff for their numbers", o.diff)
	}
	_, err = fmt.Fprint(c.OutOrStdout(), p.Diff)
	return err
}

func readWeights(file string) (advise.Weights, error) {
	if file == "" {
		return advise.DefaultWeights(), nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return advise.Weights{}, fmt.Errorf("-weights: %w", err)
	}
	w, err := advise.ReadWeights(text)
	if err != nil {
		return w, fmt.Errorf("%s: %w", file, err)
	}
	return w, nil
}

func printFaults(c *cobra.Command, faults []advise.Fault) error {
	for _, f := range faults {
		fmt.Fprintln(c.ErrOrStderr(), f)
	}
	return commandline.ErrPrinted
}
