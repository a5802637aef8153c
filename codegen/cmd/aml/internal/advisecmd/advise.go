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
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/modelfolder"
)

// options are the options of the command.
type options struct {
	workload     string
	weights      string
	measurements string
	diff         int
	json         bool
}

// Command returns the command aml advise.
func Command() *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "advise [folder]",
		Short: "Order the designs of each relationship by their cost for a workload",
		Long: "Order the designs of each relationship of a model by their cost for a workload, and report the queries that no table\n" +
			"answers and the tables that no query reads. The workload is a file of SELECTs, as for aml check -queries, with\n" +
			"comments:\n\n" +
			"  -- aml:rate 500/s                          above a SELECT: how often it is sent\n" +
			"  -- aml:priority 1                          above a SELECT: its place in the report\n" +
			"  -- aml:latency 10ms                        above a SELECT or a write: mark designs whose measured p99 is above it\n" +
			"  -- aml:write Customer.Vehicles add 5/s     an operation of aml alternatives\n" +
			"  -- aml:write Customer.Update 20/s          Insert, Update or Delete of a root\n\n" +
			"The cost is the sum of rate x requests x processor time of that kind of request. The requests are those of aml\n" +
			"alternatives, the times those of docs/performance.md or of the file of -weights. One relationship is changed at a time.\n" +
			"The model is not changed: -diff N prints the edit of proposal N.\n\n" +
			"With -json each line of the standard output is an object: of kind unanswered, unused, unlimited, design or omitted.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return run(c, modelfolder.Args(args)[0], &o) },
	}
	c.Flags().StringVar(&o.workload, "workload", "", "the file of the workload")
	c.Flags().StringVar(&o.weights, "weights", "", "a JSON file with the microseconds of processor time of each kind of request")
	c.Flags().StringVar(&o.measurements, "measurements", "", "the approaches.json of go run ./integration/bench -approaches, for the latencies")
	jsonline.Option(c, &o.json)
	c.Flags().IntVar(&o.diff, "diff", 0, "print only the edit of the model for the proposal with this number")
	return c
}

func run(c *cobra.Command, dir string, o *options) error {
	switch {
	case o.workload == "":
		return errors.New("-workload is missing: name a file of SELECTs with their rates")
	case o.json && o.diff != 0:
		return errors.New("-json and -diff exclude each other: -json writes the diff of each proposal")
	}
	config, err := o.config()
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
	report, faults, err := advise.New(files, w, config)
	switch {
	case err != nil:
		return err
	case len(faults) > 0:
		return printFaults(c, faults)
	}
	return o.write(c, report)
}

// write writes the report, or the edit of one proposal.
func (o *options) write(c *cobra.Command, report *advise.Report) error {
	switch {
	case o.json:
		return writeJSON(c, report)
	case !c.Flags().Changed("diff"):
		_, err := fmt.Fprint(c.OutOrStdout(), report.Text())
		return err
	}
	p := report.Proposal(o.diff)
	switch {
	case p == nil:
		return fmt.Errorf("-diff: there is no proposal %d: run the command without -diff for their numbers", o.diff)
	case p.Diff == "":
		fmt.Fprintf(c.ErrOrStderr(), "proposal %d, %s, is the design of the model: there is nothing to edit\n", o.diff, p.Name)
		return nil
	}
	_, err := fmt.Fprint(c.OutOrStdout(), p.Diff)
	return err
}

// config reads the files of the options.
func (o *options) config() (out advise.Config, err error) {
	out = advise.DefaultConfig()
	if err = read("-weights", o.weights, &out.Weights, advise.ReadWeights); err == nil {
		err = read("-measurements", o.measurements, &out.Measurements, advise.ReadMeasurements)
		out.Published = o.measurements == ""
	}
	return out, err
}

// read reads the file of an option, if it is set.
func read[T any](option, file string, to *T, parse func(file string, text []byte) (T, error)) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s: %w", option, err)
	}
	*to, err = parse(file, text)
	return err
}

func printFaults(c *cobra.Command, faults []advise.Fault) error {
	for _, f := range faults {
		fmt.Fprintln(c.ErrOrStderr(), f)
	}
	return commandline.ErrPrinted
}
