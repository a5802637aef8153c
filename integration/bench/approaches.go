package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/integration/bench/report"
	"github.com/cassaml/cassaml/integration/cassandra"

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

// measureApproaches implements -approaches.
func measureApproaches(ctx context.Context, o options, stdout, stderr io.Writer) error {
	files, err := load.Read(ctx, approachesFolder)
	if err != nil {
		return fmt.Errorf("%w: run the command in the root of the module", err)
	}
	l, err := alternatives.List(files, approachesRelationship, alternatives.Config{})
	if err != nil {
		return err
	}
	p, err := caller.NewProgram(l, func(design string) bool { return !o.quick || slices.Contains(quickDesigns, design) })
	if err != nil {
		return err
	}
	results, err := runProgram(ctx, o, p, stderr)
	if err != nil {
		return err
	}
	return publishApproaches(o, l, results, stdout)
}

// runProgram compiles the program of designs, and runs it against a server.
func runProgram(ctx context.Context, o options, p *caller.Program, stderr io.Writer) (out []caller.Measurement, err error) {
	dir, err := os.MkdirTemp("", "approaches")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	program := filepath.Join(dir, "program")
	if err := p.Build(ctx, ".", dir, program); err != nil {
		return nil, err
	}
	server, err := cassandra.Start(ctx, cassandra.Config{Log: stderr, Optimize: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	prefix := "approaches_" + strconv.FormatInt(time.Now().UnixNano(), 36) + "_"
	drop, err := createDesigns(ctx, server, prefix, p.Schemas)
	defer func() { err = errors.Join(err, drop()) }()
	if err != nil {
		return nil, err
	}
	config := caller.MeasureConfig{Elements: o.roots, Calls: o.calls, InFlight: o.inFlight, ServerPIDs: serverPIDs(server)}
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, program)
	c.Env = append(os.Environ(), caller.NodeVariable+"="+server.Hosts()[0], caller.KeyspacesVariable+"="+prefix, caller.MeasureVariable+"="+string(text))
	var result bytes.Buffer
	c.Stdout, c.Stderr = &result, stderr
	if err := c.Run(); err != nil {
		return nil, err
	}
	return out, json.Unmarshal(result.Bytes(), &out)
}

// schemaTimeout is the time of a statement of the schema on a busy server.
const schemaTimeout = 2 * time.Minute

// createDesigns creates a keyspace for each design. drop drops those that have been created, also after an error.
func createDesigns(ctx context.Context, server *cassandra.Server, prefix string, schemas map[string][]string) (drop func() error, err error) {
	cluster := server.Cluster()
	cluster.Timeout = schemaTimeout
	control, err := cluster.CreateSession()
	if err != nil {
		return func() error { return nil }, err
	}
	var created []string
	drop = func() (err error) {
		defer control.Close()
		for _, name := range created {
			err = errors.Join(err, control.Query("DROP KEYSPACE "+name).Exec())
		}
		return err
	}
	for name, statements := range schemas {
		session, err := server.Keyspace(ctx, prefix+name)
		if err != nil {
			return drop, err
		}
		session.Close()
		created = append(created, prefix+name)
		if err := createTables(cluster, prefix+name, statements); err != nil {
			return drop, err
		}
	}
	return drop, nil
}

// createTables executes the statements of a design in its keyspace.
func createTables(cluster *gocql.ClusterConfig, keyspace string, statements []string) error {
	in := *cluster
	in.Keyspace = keyspace
	session, err := in.CreateSession()
	if err != nil {
		return err
	}
	defer session.Close()
	for _, s := range statements {
		if err := session.Query(s).Exec(); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// serverPIDs returns the process of a server that this command has started; none for another one.
func serverPIDs(server *cassandra.Server) []int {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(server.LogDir()), "pid"))
	if err != nil {
		return nil
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return nil
	}
	return []int{pid}
}

// publishApproaches prints the tables, and writes the files of the flags.
func publishApproaches(o options, l *alternatives.Listing, results []caller.Measurement, stdout io.Writer) error {
	var b strings.Builder
	for _, n := range o.roots {
		fmt.Fprintf(&b, "\nWith %d vehicles for each `Cliente`: the median time of a call and the 99th percentile, in milliseconds; in brackets the processor time of the program and the server, in microseconds\n\n", n)
		b.WriteString(approachTable(results, n))
	}
	fmt.Fprintf(&b, "\nPublished judgements, with clients of %d vehicles:\n\n%s", l.Elements, judgementTable(results, l.Elements))
	weights := fitWeights(l, results)
	fmt.Fprintf(&b, "\nProcessor time of each kind of request, fitted to these operations: `%s`\n\n", weightsText(weights))
	b.WriteString(adviceTable(l, results, weights))
	if _, err := fmt.Fprintf(stdout, "%s\n%s", report.ThisMachine(), b.String()); err != nil {
		return err
	}
	if o.out != "" {
		if err := errors.Join(writeJSON(o.out, "approaches.json", results), writeJSON(o.out, "weights.json", weights)); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, "approaches", section(o, fmt.Sprintf("-approaches -roots %s -calls %d", o.roots.String(), o.calls), b.String()))
	}
	return nil
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

// approachTable returns a row for each design, with a cell for each operation.
func approachTable(results []caller.Measurement, elements int) string {
	var b strings.Builder
	b.WriteString("| design | published |")
	for _, o := range alternatives.Operations() {
		fmt.Fprintf(&b, " %s |", o)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(alternatives.Operations())) + "\n")
	for _, d := range designsOf(results) {
		fmt.Fprintf(&b, "| %s | %s |", d, published[d])
		for _, o := range alternatives.Operations() {
			switch m := measurement(results, d, elements, o); {
			case m == nil:
				b.WriteString(" |")
			case m.Refused != "":
				b.WriteString(" refused |")
			default:
				fmt.Fprintf(&b, " %.1f, %.1f (%.0f) |", m.P50/1000, m.P99/1000, m.CPU+m.ServerCPU)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// cost returns the cost of an operation of a design, or nil.
func cost(l *alternatives.Listing, design string, o alternatives.Operation) *alternatives.Cost {
	for _, a := range l.Alternatives {
		if a.Name == design {
			return a.Costs[o]
		}
	}
	return nil
}

// fitWeights returns the weights that explain the measured processor times best: the sum of the squares of the relative errors is least. They are found by
// cyclic coordinate descent, with positive weights. Only measurements with the number of elements of the listing are used, whose requests are known.
func fitWeights(l *alternatives.Listing, results []caller.Measurement) advise.Weights {
	type sample struct {
		counts [5]float64
		cpu    float64
	}
	var samples []sample
	for _, m := range results {
		c := cost(l, m.Design, alternatives.Operation(m.Operation))
		if c == nil || m.Refused != "" || m.Elements != l.Elements || m.CPU+m.ServerCPU <= 0 {
			continue
		}
		single := c.Requests - c.Conditional - c.Reads - c.Batches
		samples = append(samples, sample{[5]float64{float64(c.Reads), float64(single), float64(c.Batches), float64(c.Batched), float64(c.Conditional)}, m.CPU + m.ServerCPU})
	}
	d := advise.DefaultWeights()
	w := [5]float64{d.Read, d.Write, d.Batch, d.Statement, d.Conditional}
	for range 500 {
		for k := range w {
			var above, below float64
			for _, s := range samples {
				rest := s.cpu
				for i := range w {
					if i != k {
						rest -= w[i] * s.counts[i]
					}
				}
				x := s.counts[k] / s.cpu
				above, below = above+x*rest/s.cpu, below+x*x
			}
			if below > 0 {
				w[k] = max(1, above/below)
			}
		}
	}
	for k := range w {
		w[k] = math.Round(w[k])
	}
	return advise.Weights{Read: w[0], Write: w[1], Batch: w[2], Statement: w[3], Conditional: w[4]}
}

func weightsText(w advise.Weights) string {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // five numbers
	}
	return string(text)
}

// mix is a workload: the rate of each operation. The mixes are shaped as A to F of YCSB (Cooper et al., 2010): update heavy, read heavy, read only, read the
// newest, short scans, and read-modify-write.
type mix struct {
	name  string
	rates map[alternatives.Operation]float64
}

var mixes = []mix{
	{"A: half reads by client, half changes", map[alternatives.Operation]float64{alternatives.ReadByRoot: 50, alternatives.Change: 50}},
	{"B: 95 % reads by client, 5 % changes", map[alternatives.Operation]float64{alternatives.ReadByRoot: 95, alternatives.Change: 5}},
	{"C: reads by client", map[alternatives.Operation]float64{alternatives.ReadByRoot: 100}},
	{"D: 95 % reads by vehicle, 5 % new vehicles", map[alternatives.Operation]float64{alternatives.ReadByElement: 95, alternatives.Add: 5}},
	{"E: 95 % reads by client, 5 % new vehicles", map[alternatives.Operation]float64{alternatives.ReadByRoot: 95, alternatives.Add: 5}},
	{"F: half reads by vehicle, half changes", map[alternatives.Operation]float64{alternatives.ReadByElement: 50, alternatives.Change: 50}},
}

// adviceTable compares, for each mix, the design that advice would name with the cheapest measured one, at the number of elements of the listing.
func adviceTable(l *alternatives.Listing, results []caller.Measurement, w advise.Weights) string {
	var b strings.Builder
	b.WriteString("| workload | cheapest by advice | cheapest measured | ratio of their processor time |\n|---|---|---|---:|\n")
	for _, x := range mixes {
		type candidate struct {
			design            string
			advised, measured float64
		}
		var all []candidate
		for _, d := range designsOf(results) {
			c := candidate{design: d}
			complete := true
			for o, rate := range x.rates {
				m, k := measurement(results, d, l.Elements, o), cost(l, d, o)
				if m == nil || k == nil || m.Refused != "" {
					complete = false
					break
				}
				c.advised, c.measured = c.advised+rate*w.Cost(k), c.measured+rate*(m.CPU+m.ServerCPU)
			}
			if complete {
				all = append(all, c)
			}
		}
		if all == nil {
			continue
		}
		advised := slices.MinFunc(all, func(a, b candidate) int { return cmp.Compare(a.advised, b.advised) })
		best := slices.MinFunc(all, func(a, b candidate) int { return cmp.Compare(a.measured, b.measured) })
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f |\n", x.name, advised.design, best.design, advised.measured/best.measured)
	}
	return b.String()
}
