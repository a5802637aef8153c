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

// recorder is a tracer that keeps what was sent.
type recorder struct{ requests []mapper.Request }

// Start keeps the request.
func (r *recorder) Start(ctx context.Context, q mapper.Request) context.Context {
	r.requests = append(r.requests, q)
	return ctx
}

// End has nothing to add.
func (r *recorder) End(context.Context, mapper.Result) {}

func (r *recorder) reset() { r.requests = nil }

func (r *recorder) show(out io.Writer) {
	for _, q := range r.requests {
		fmt.Fprintf(out, "  sent  %s\n", how(q))
		for _, s := range q.Statements {
			fmt.Fprintf(out, "        %s\n", s.CQL)
		}
	}
}

// how returns in what way the statements of a request travelled.
func how(q mapper.Request) string {
	if q.Batch == mapper.None {
		return "one statement, no batch"
	}
	kind := fmt.Sprintf("one logged batch of %d statements at timestamp %d", len(q.Statements), q.Timestamp)
	if q.Batchlog {
		return kind + ", through the batchlog"
	}
	return kind + ", one partition: no batchlog"
}

// showTables prints the rows of both tables.
func showTables(out io.Writer, clients []clientRow, vehicles map[string]vehicleRow) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  clientes\tid\tnome\temails\ttelefones\tveiculos")
	for _, c := range clients {
		fmt.Fprintf(t, "  \t%d\t%s\t%s\t%s\t%s\n", c.id, c.name, strings.Join(c.emails, ", "), strings.Join(c.phones, ", "), plates(c.vehicles))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(t, "  veiculos\tplaca\tcor\tcliente")
	for _, p := range slices.Sorted(maps.Keys(vehicles)) {
		v := vehicles[p]
		fmt.Fprintf(t, "  \t%s\t%s\t{%d, %s}\n", v.plate, v.colour, v.owner.ID, v.owner.Name)
	}
	return t.Flush()
}

func plates(in []vehicle) string {
	var out []string
	for _, v := range in {
		out = append(out, v.Plate+" "+v.Colour)
	}
	return strings.Join(out, ", ")
}
