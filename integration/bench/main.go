package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/cassaml/cassaml/integration/bench/codec"
	"github.com/cassaml/cassaml/integration/bench/growth"
	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/reconciling"
)

func main() {
	if reconciling.IsChild() {
		if err := reconciling.Child(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		os.Exit(1)
	}
}

// options are the command's flags.
type options struct {
	codec      bool
	node       bool
	versioned  bool
	merge      bool
	nodes      int
	reconcile  bool
	parts      bool
	scan       bool
	queue      bool
	references bool
	approaches bool
	peers      bool
	quick      bool
	resume     string
	calls      int
	inFlight   int
	fanOut     bool
	holders    int
	tasks      int
	rows       int
	rounds     int
	roots      sizes
	stores     sizes
	out        string
	page       string
}

const defaultRounds = 12

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.BoolVar(&o.codec, "codec", false, "measure without a server, between structs and the bytes of the driver")
	f.BoolVar(&o.node, "node", false, "measure against a server: the one in CASSANDRA_HOSTS, or one that is started")
	f.BoolVar(&o.versioned, "versioned", false, "measure versioned aggregates against a server, as -node")
	f.BoolVar(&o.merge, "merge", false, "measure reads of several partitions against a server, as -node")
	f.IntVar(&o.nodes, "nodes", 1, "the number of nodes for -versioned, -merge, -parts, -fanout and -approaches: 1, or 3, which are started, with a replication factor of 3")
	f.BoolVar(&o.reconcile, "reconcile", false, "measure runs of Reconcile against a server, as -node")
	f.BoolVar(&o.parts, "parts", false, "measure a growing game, with rounds as parts, in a list and in a map, against a server, as -node")
	f.BoolVar(&o.scan, "scan", false, "measure scans of a whole table against a server, as -node")
	f.IntVar(&o.rows, "rows", 100_000, "the number of rows of -scan, a multiple of 100")
	f.BoolVar(&o.queue, "queue", false, "measure a queue through which many tasks have gone, against a server whose files are on this machine, as -node")
	f.BoolVar(&o.references, "references", false, "measure inserts with a checked reference against a server, as -node")
	f.BoolVar(&o.approaches, "approaches", false, "measure the designs of one relationship against a server, as -node")
	f.BoolVar(&o.peers, "peers", false, "measure the generated stores of the published designs beside stores that are written by hand, against a server, as -node")
	f.BoolVar(&o.quick, "quick", false, "with -approaches: a few designs, clients of 10 vehicles, and few calls")
	f.StringVar(&o.resume, "resume", "", "with -approaches or -peers: the folder with the results of completed steps; a run that was stopped continues after them")
	f.IntVar(&o.calls, "calls", 40, "the number of calls of each operation of -approaches in a round (10 by default with -quick or on three nodes)")
	f.IntVar(&o.inFlight, "inflight", 16, "the number of calls of -approaches at a time, of which the processor time is measured")
	f.BoolVar(&o.fanOut, "fanout", false, "measure a fan-out of a copied field to many roots against a server, as -node, beside code that is written by hand")
	f.IntVar(&o.holders, "holders", 20_000, "the number of roots with copies of -fanout")
	o.stores = defaultStores
	f.Var(&o.stores, "stores", "the numbers of stores that share a fan-out of -fanout, ascending, separated by commas")
	f.IntVar(&o.tasks, "tasks", 1_000_000, "the number of tasks of -queue, a multiple of 1,000")
	f.IntVar(&o.rounds, "rounds", defaultRounds, "the number of rounds; a figure is the median of all rounds; -reconcile, -parts and -fanout have a quarter of them, -approaches (8 by default, 4 on three nodes) and -peers half")
	o.roots = sizes{10_000, 100_000}
	f.Var(&o.roots, "roots", "the numbers of roots of -reconcile, or of elements of -approaches (1,10,100,1000 by default), ascending, separated by commas")
	f.StringVar(&o.out, "out", "", "the folder for the JSON, the chart and the lines for benchstat")
	f.StringVar(&o.page, "page", "", "the page in Markdown that contains the table")
	err = f.Parse(args)
	o.approachSizes(f)
	switch {
	case err != nil:
		return o, err
	case f.NArg() > 0:
		return o, fmt.Errorf("unknown argument %q: bench has flags only; -help lists them", f.Arg(0))
	case o.count() != 1:
		return o, errors.New("set one of -codec, -node, -versioned, -merge, -reconcile, -parts, -scan, -queue, -references, -approaches, -peers and -fanout")
	case o.nodes != 1 && (o.nodes != clusterSize || !o.versioned && !o.merge && !o.parts && !o.approaches && !o.fanOut):
		return o, fmt.Errorf("-nodes %d: set -versioned, -merge, -parts, -fanout or -approaches, and 1 or %d nodes", o.nodes, clusterSize)
	case o.tasks < 1 || o.tasks%(10*queueBatch) != 0:
		return o, fmt.Errorf("-tasks %d: use a multiple of %d", o.tasks, 10*queueBatch)
	case o.calls < 1 || o.inFlight < 1:
		return o, fmt.Errorf("-calls %d, -inflight %d: at least 1", o.calls, o.inFlight)
	case o.holders < 1:
		return o, fmt.Errorf("-holders %d: at least 1", o.holders)
	case (o.approaches || o.peers) && len(o.roots) > mostSizes:
		return o, fmt.Errorf("-roots: at most %d numbers of elements", mostSizes)
	case o.rounds < 1:
		return o, fmt.Errorf("-rounds %d: at least 1", o.rounds)
	}
	return o, nil
}

// approachSizes sets the values of -approaches that no flag has set.
func (o *options) approachSizes(f *flag.FlagSet) {
	if !o.approaches && !o.peers {
		return
	}
	set := map[string]bool{}
	f.Visit(func(x *flag.Flag) { set[x.Name] = true })
	if !set["roots"] {
		o.roots = sizes{1, 10, 100, 1000}
	}
	if o.quick && !set["roots"] || o.peers {
		o.roots = sizes{peerVehicles}
	}
	few := o.quick || o.nodes > 1
	if few && !set["calls"] {
		o.calls = 10
	}
	switch {
	case set["rounds"]:
	case o.quick:
		o.rounds = 2
	case o.nodes > 1:
		o.rounds = 4
	case o.approaches:
		o.rounds = 8
	}
}

// count returns the number of measurements that the flags choose.
func (o options) count() (n int) {
	for _, chosen := range []bool{o.codec, o.node, o.versioned, o.merge, o.reconcile, o.parts, o.scan, o.queue, o.references, o.approaches, o.peers, o.fanOut} {
		if chosen {
			n++
		}
	}
	return n
}

func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.reconcile {
		return measureReconcile(context.Background(), o, stdout, stderr)
	}
	if o.parts {
		return measureParts(context.Background(), o, growth.Rounds, stdout, stderr)
	}
	if o.approaches {
		return measureApproaches(context.Background(), o, stdout, stderr)
	}
	if o.peers {
		return measurePeers(context.Background(), o, stdout, stderr)
	}
	if o.queue {
		return measureQueue(context.Background(), o, queueSamples, stdout, stderr)
	}
	if o.fanOut {
		return measureFanOut(context.Background(), o, stdout, stderr)
	}
	if o.scan {
		return measureScan(context.Background(), o, measure.Config{Slice: loadSlice}, stdout, stderr)
	}
	if o.node || o.versioned || o.merge || o.references {
		return measureNode(context.Background(), o, measure.Config{Slice: loadSlice}, stdout, stderr)
	}
	return measureCodec(o, measure.Config{}, stdout, stderr)
}

// config returns the configuration of a measurement with the values of the flags.
func (o options) config(c measure.Config, stderr io.Writer) measure.Config {
	c.Rounds = o.rounds
	c.Progress = func(n, of int) {
		fmt.Fprintf(stderr, "\rround %d of %d", n, of)
		if n == of {
			fmt.Fprintln(stderr)
		}
	}
	return c
}

// measureCodec implements -codec.
func measureCodec(o options, config measure.Config, stdout, stderr io.Writer) error {
	cases, err := codec.Cases()
	if err != nil {
		return err
	}
	series, err := measure.Run(cases, o.config(config, stderr))
	if err != nil {
		return err
	}
	return publish(o, series, stdout)
}
