package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/cassaml/cassaml/mapper"
)

// recorder is a tracer that records the requests.
type recorder struct{ requests []mapper.Request }

// Start records a request.
func (r *recorder) Start(ctx context.Context, q mapper.Request) context.Context {
	r.requests = append(r.requests, q)
	return ctx
}

// End does nothing.
func (r *recorder) End(context.Context, mapper.RequestResult) {}

func (r *recorder) reset() { r.requests = nil }

func (r *recorder) show(out io.Writer) {
	for _, q := range r.requests {
		fmt.Fprintf(out, "  sent  %s\n", how(q))
		for _, s := range q.Statements {
			fmt.Fprintf(out, "        %s\n", s.CQL)
		}
	}
}

// how describes how the statements of a request were sent.
func how(q mapper.Request) string {
	if q.Batch == mapper.NoBatch {
		return "one statement, no batch"
	}
	kind := fmt.Sprintf("one logged batch of %d statements at timestamp %d", len(q.Statements), q.Timestamp)
	if q.Batchlog {
		return kind + ", through the batchlog"
	}
	return kind + ", one partition: no batchlog"
}

// showTables prints the rows of both tables.
func showTables(out io.Writer, customers []customerRow, vehicles map[string]vehicleRow) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  customers\tid\tname\tvehicles")
	for _, c := range customers {
		fmt.Fprintf(t, "  \t%s\t%s\t%s\n", c.id, c.name, plates(c.vehicles))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(t, "  vehicles\tplate\tcolor\towner")
	for _, p := range slices.Sorted(maps.Keys(vehicles)) {
		v := vehicles[p]
		fmt.Fprintf(t, "  \t%s\t%s\t{%s, %s}\n", v.plate, v.color, v.owner.ID, v.owner.Name)
	}
	return t.Flush()
}

func plates(in []vehicle) string {
	var out []string
	for _, v := range in {
		out = append(out, v.Plate+" "+v.Color)
	}
	return strings.Join(out, ", ")
}
