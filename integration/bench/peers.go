package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/integration/bench/report"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// peerVehicles is the number of vehicles of a client in the table of -peers.
const peerVehicles = 10

// measurePeers implements -peers.
func measurePeers(ctx context.Context, o options, stdout, stderr io.Writer) (err error) {
	s := &study{options: o, stderr: stderr, steps: "peers-"}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.start(ctx, caller.NewPeers); err != nil {
		return err
	}
	results, err := s.measureOperations(ctx)
	if err != nil {
		return err
	}
	table := peerTable(results, peerVehicles)
	if _, err := fmt.Fprintf(stdout, "%s\n\n%s", report.ThisMachine(), table); err != nil {
		return err
	}
	if o.out != "" {
		if err := writeLines(o.out, "peers.json", results); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, "peers", section(o, "-peers", table))
	}
	return nil
}

// peerTable returns a row for each design. A cell has the client's processor time of an operation of the generated store divided by the time t of the store that is
// written by hand, and t in microseconds.
func peerTable(results []caller.Measurement, elements int) string {
	generated := slices.DeleteFunc(slices.Clone(results), func(m caller.Measurement) bool { return strings.HasSuffix(m.Design, caller.ByHand) })
	return operationTable(generated, elements, func(own *caller.Measurement) string {
		t := measurement(results, own.Design+caller.ByHand, elements, alternatives.Operation(own.Operation)).LeastClient()
		return fmt.Sprintf("%.2f (%.0f)", own.LeastClient()/t, t)
	})
}
