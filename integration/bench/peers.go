package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/integration/bench/report"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// peerVehicles is the number of vehicles of a client in the table of -peers.
const peerVehicles = 10

// designsByHand returns the designs of the relationship, and the program with the generated stores and those that are written by
// hand.
func designsByHand(ctx context.Context) (*alternatives.Listing, *caller.Program, error) {
	files, err := load.Read(ctx, approachesFolder)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: run the command in the root of the module", err)
	}
	l, err := alternatives.List(files, approachesRelationship, alternatives.Config{})
	if err != nil {
		return nil, nil, err
	}
	p, err := caller.NewPeers(l)
	return l, p, err
}

// measurePeers implements -peers.
func measurePeers(ctx context.Context, o options, stdout, stderr io.Writer) (err error) {
	l, p, err := designsByHand(ctx)
	if err != nil {
		return err
	}
	s := &study{options: o, listing: l, stderr: stderr}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.start(ctx, p); err != nil {
		return err
	}
	if _, err := s.fill(ctx); err != nil {
		return err
	}
	results, err := step(s, "peers", func() (out []caller.Measurement, err error) { return out, s.run(ctx, s.measuring("rounds"), &out) })
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
	var b strings.Builder
	b.WriteString("| design | published |")
	for _, o := range alternatives.Operations() {
		fmt.Fprintf(&b, " %s |", o)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---:|", len(alternatives.Operations())) + "\n")
	for _, d := range designsOf(results) {
		if strings.HasSuffix(d, caller.ByHand) {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s |", d, published[d])
		for _, o := range alternatives.Operations() {
			own, hand := measurement(results, d, elements, o), measurement(results, d+caller.ByHand, elements, o)
			if own == nil || hand == nil || len(own.Clients) == 0 || len(hand.Clients) == 0 {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(&b, " %.2f (%.0f) |", own.LeastClient()/hand.LeastClient(), hand.LeastClient())
		}
		b.WriteString("\n")
	}
	return b.String()
}
