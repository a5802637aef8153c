package reconcilecmd

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
	"github.com/cassaml/cassaml/mapper"
)

// codeDriftLeft is the exit code if drift is left.
const codeDriftLeft = 3

// driftLeft returns the error of a run after which drift is left.
func driftLeft(open, later int64) error {
	return &commandline.ExitError{Code: codeDriftLeft, Err: fmt.Errorf("drift is left: findings that were not repaired %d, rows that are left for a later run %d", open, later)}
}

// output prints the events of a program: findings as lines, and the progress as a bar if the standard error is a terminal.
type output struct {
	c       *cobra.Command
	json    bool
	refill  *program.Refill
	restamp *program.Restamp
	bar     *commandline.Bar
	rows    int64 // read by a refill
	report  *mapper.ReconcileReport
	fan     program.FanOutProgress
}

func newOutput(c *cobra.Command, asJSON bool, r *program.Request) *output {
	return &output{c: c, json: asJSON, refill: r.Refill, restamp: r.Restamp, bar: commandline.NewBar(c.ErrOrStderr())}
}

// print prints one event.
func (o *output) print(e program.Event) error {
	switch {
	case e.Found != nil:
		return o.finding(e.Found)
	case e.Report != nil:
		o.report = e.Report
	case e.Progress != nil:
		o.progress(e.Progress)
	case e.FannedOut != nil:
		o.fannedOut(e.FannedOut)
	case e.Rows > 0:
		o.rows = e.Rows
		o.bar.Show(o.refill.Table+": rows of "+o.refill.Root, -1, e.Rows)
	}
	return nil
}

func (o *output) progress(p *program.Progress) {
	o.bar.Show(fmt.Sprintf("%s: rows %d, slices", p.Table, p.Rows), int64(p.Total), int64(p.Done))
}

// finish removes the bar.
func (o *output) finish() {
	o.bar.Clear()
	o.bar = nil
}

func (o *output) finding(d *mapper.Drift) error {
	o.bar.Clear() // the next event draws it again
	if o.json {
		return jsonline.Write(o.c, newFindingJSON(d))
	}
	_, err := fmt.Fprintln(o.c.OutOrStdout(), findingText(d))
	return err
}

// findingText returns a finding as one line.
func findingText(d *mapper.Drift) string {
	text := fmt.Sprintf("%s %s (%s): %s%s", d.Table, d.Key, d.Aggregate, d.Kind, differenceText(d))
	switch {
	case d.Repaired:
		text += "; repaired"
	case d.Reason != "":
		text += "; not repaired: " + d.Reason
	}
	return strings.Join(strings.Fields(text), " ")
}

// differenceText returns the values of a finding.
func differenceText(d *mapper.Drift) string {
	switch {
	case d.Kind == mapper.DriftTwoOwners && d.Have != "":
		return ": " + d.Have + " and " + d.Want
	case d.Column == "":
		return ""
	case d.Want == "":
		return ": column " + d.Column + " is " + d.Have
	}
	return ": column " + d.Column + " is " + d.Have + ", not " + d.Want
}

// end prints the result of the run, and returns an error if drift is left.
func (o *output) end() error {
	o.finish()
	switch {
	case o.refill != nil:
		return o.refilled()
	case o.report == nil:
		return errors.New("the program ended without a report")
	case o.json:
		if err := jsonline.Write(o.c, newReportJSON(o.report)); err != nil {
			return err
		}
	default:
		if o.restamp != nil {
			fmt.Fprintf(o.c.OutOrStdout(), "%s WHERE %s: the row and its redundant rows were written again\n", o.restamp.Table, o.restamp.Condition)
		}
		writeReport(o.c.OutOrStdout(), o.report)
	}
	if !o.report.Clean() {
		return driftLeft(o.report.Total()-o.report.Repaired, o.report.TooRecent)
	}
	return nil
}

func (o *output) refilled() error {
	if o.json {
		return jsonline.Write(o.c, RefillJSON{"refill", o.refill.Table, o.refill.Root, o.rows})
	}
	_, err := fmt.Fprintf(o.c.OutOrStdout(), "%s is filled: rows of %s that were read %d\n", o.refill.Table, o.refill.Root, o.rows)
	return err
}

// writeReport prints a report as text.
func writeReport(out io.Writer, r *mapper.ReconcileReport) {
	for _, table := range r.Tables() {
		var counts []string
		for _, kind := range slices.Sorted(maps.Keys(r.Found[table])) {
			counts = append(counts, fmt.Sprintf("%s %d", kind, r.Found[table][kind]))
		}
		fmt.Fprintf(out, "%s: %s\n", table, strings.Join(counts, ", "))
	}
	if len(r.NotSearched) > 0 {
		fmt.Fprintf(out, "not searched for orphans, because their rows do not contain the key of their root: %s\n", strings.Join(r.NotSearched, ", "))
	}
	fmt.Fprintf(out, "rows read %d, findings %d, repaired %d, left for a later run %d, removed %d, time %v\n",
		r.Rows, r.Total(), r.Repaired, r.TooRecent, r.Purged, r.To.Sub(r.From).Round(time.Millisecond))
}
