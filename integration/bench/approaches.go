package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/codegen/alternatives"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// The relationship whose designs are measured: the clients and vehicles of Araújo (2025).
const (
	approachesFolder       = "examples/vehicles/approach1/fleet"
	approachesRelationship = "Cliente.Veiculos"
)

// published are the published approaches, by the names of the designs that correspond to them. Approach 5, the clients as copies of the values in their
// vehicles, is no design of the relationship.
var published = map[string]string{"embedded-list": "1", "embedded-map": "1, map", "embedded-list-partial": "2", "embedded-list-total": "3", "inverse": "4",
	"references-from-root": "6", "reference-from-element": "7", "pairs": "8"}

// quickDesigns are the designs of -quick.
var quickDesigns = []string{"embedded-list", "embedded-list-total", "references-from-root", "pairs", "parts-in-root-versioned"}

const (
	// warmRounds is the number of rounds before those that count: the server's compiler works most of the time of the first.
	warmRounds = 2
	// sliceTime is the processor time of a slice.
	sliceTime = 150 * time.Millisecond
	// seriesTime limits the time of an operation of a design, for all rounds.
	seriesTime = 10 * time.Second
	// killedTimes is the number of processes that are killed.
	killedTimes = 20
	// triedCalls is the number of calls of each operation with some nodes down.
	triedCalls = 10
)

// The numbers before the first root of each task, which has keys of its own in the same tables. Each of the numbers of elements, of which there are at most
// mostSizes, has a range of measuredRoots.
const (
	measuredRoots = 100_000
	mostSizes     = 9
	firstMixed    = mostSizes * measuredRoots
	firstKilled   = 1_000_000
	firstTried    = 1_500_000
	firstFilled   = 2_000_000
)

// measureApproaches implements -approaches.
func measureApproaches(ctx context.Context, o options, stdout, stderr io.Writer) (err error) {
	s := &study{options: o, stderr: stderr}
	defer func() { err = errors.Join(err, s.close()) }()
	err = s.start(ctx, func(l *alternatives.Listing) (*caller.Program, error) {
		return caller.NewProgram(l, func(design string) bool { return !o.quick || slices.Contains(quickDesigns, design) })
	})
	if err != nil {
		return err
	}
	if o.nodes > 1 {
		return s.measureCluster(ctx, stdout)
	}
	return s.measureNode(ctx, stdout)
}

// measureNode measures the designs on one node, and publishes the results.
func (s *study) measureNode(ctx context.Context, stdout io.Writer) error {
	var f findings
	var err error
	if f.sizes, err = step(s, "sizes", func() ([]size, error) { err := s.ready(ctx); return s.sizes, err }); err != nil {
		return err
	}
	if f.measured, err = s.measureOperations(ctx); err != nil {
		return err
	}
	if f.mixed, err = task[[]caller.MixResult](ctx, s, "mixed", s.mixing); err != nil {
		return err
	}
	if f.killed, err = step(s, "killed", func() ([]killed, error) { return s.measureKills(ctx) }); err != nil {
		return err
	}
	return s.publish(&f, stdout)
}

// measureOperations measures the operations with each number of elements. Each is a step, whose complete rounds are in a file of -resume.
func (s *study) measureOperations(ctx context.Context) (all []caller.Measurement, err error) {
	for i, n := range s.roots {
		results, err := task[[]caller.Measurement](ctx, s, s.stepName("measured", n), func(c *caller.Config) {
			c.Elements, c.First, c.State, c.Single = []int{n}, i*measuredRoots, s.file(s.stepName("rounds", n)), s.single(n)
		})
		if err != nil {
			return nil, err
		}
		all = append(all, results...)
	}
	return all, nil
}

// singleElements is the number of elements from which operations are called once on several nodes, which share the processors of this machine: inserts of all
// designs take minutes.
const singleElements = 1000

// single reports whether operations on roots with a number of elements are called once in a round.
func (s *study) single(elements int) bool { return s.nodes > 1 && elements >= singleElements }

// mixing changes a configuration so that the workloads are measured.
func (s *study) mixing(c *caller.Config) {
	c.Task, c.Elements, c.First = caller.Mix, []int{s.listing.Elements}, firstMixed
}

// measuring returns the configuration of a measurement.
func (s *study) measuring() caller.Config {
	c := caller.Config{Task: caller.Measure, Calls: s.calls, Warm: warmRounds, Rounds: (s.rounds + 1) / 2, InFlight: s.inFlight,
		Slice: sliceTime, Budget: seriesTime, Filled: s.filled}
	if s.quick {
		c.Slice /= 10
	}
	return c
}

// measurement returns the measurement of an operation, or nil.
func measurement(results []caller.Measurement, design string, elements int, operation alternatives.Operation) *caller.Measurement {
	i := slices.IndexFunc(results, func(m caller.Measurement) bool {
		return m.Design == design && m.Elements == elements && m.Operation == string(operation)
	})
	if i < 0 {
		return nil
	}
	return &results[i]
}

// designsOf returns the designs that were measured, in their order.
func designsOf(results []caller.Measurement) (out []string) {
	for _, m := range results {
		if !slices.Contains(out, m.Design) {
			out = append(out, m.Design)
		}
	}
	return out
}

// approachTable returns a row for each design, with the processor time, its spread and the times of calls of each operation.
func approachTable(results []caller.Measurement, elements int) string {
	return operationTable(results, elements, func(m *caller.Measurement) string {
		rounds := m.Rounds
		if m.IsMedian() {
			rounds = nil
		}
		return fmt.Sprintf("%s (%.1f, %.1f)", timeText(m.Processor(), rounds), m.P50/1000, m.P99/1000)
	})
}

// wireTable returns a row for each design, with the bytes that are sent and received by each operation.
func wireTable(results []caller.Measurement, elements int) string {
	return operationTable(results, elements, func(m *caller.Measurement) string { return fmt.Sprintf("%.0f, %.0f", m.Sent, m.Received) })
}

// operationTable returns a row for each design, with a cell for each operation.
func operationTable(results []caller.Measurement, elements int, cell func(*caller.Measurement) string) string {
	var b strings.Builder
	b.WriteString("| design | published |")
	for _, o := range alternatives.Operations() {
		fmt.Fprintf(&b, " %s |", o)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---:|", len(alternatives.Operations())) + "\n")
	for _, d := range designsOf(results) {
		fmt.Fprintf(&b, "| %s | %s |", d, published[d])
		for _, o := range alternatives.Operations() {
			switch m := measurement(results, d, elements, o); {
			case m == nil:
				b.WriteString(" |")
			case m.Refused != "":
				b.WriteString(" refused |")
			default:
				b.WriteString(" " + cell(m) + " |")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// timeText returns a processor time with its spread, if it is the least of several rounds.
func timeText(time float64, rounds []float64) string {
	if len(rounds) < 2 {
		return fmt.Sprintf("%.0f", time)
	}
	return fmt.Sprintf("%.0f +%.0f %%", time, 100*spread(rounds))
}

// spread returns how much greater the median is than the least, divided by the least.
func spread(rounds []float64) float64 {
	if len(rounds) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(rounds))
	return sorted[len(sorted)/2]/sorted[0] - 1
}
