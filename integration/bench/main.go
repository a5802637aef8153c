package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/cassaml/cassaml/integration/bench/codec"
	"github.com/cassaml/cassaml/integration/bench/measure"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		os.Exit(1)
	}
}

// options are the command's flags.
type options struct {
	codec  bool
	node   bool
	rounds int
	out    string
	page   string
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.BoolVar(&o.codec, "codec", false, "measure without a server, between structs and the driver's bytes")
	f.BoolVar(&o.node, "node", false, "measure against a server: the one that CASSANDRA_HOSTS names, or one that is started")
	f.IntVar(&o.rounds, "rounds", 12, "how many rounds to take the medians of")
	f.StringVar(&o.out, "out", "", "the directory to write JSON, chart and benchstat's lines into")
	f.StringVar(&o.page, "page", "", "the page in Markdown to put the table into")
	switch err = f.Parse(args); {
	case err != nil:
		return o, err
	case f.NArg() > 0:
		return o, fmt.Errorf("what is %q? bench takes flags only; -help lists them", f.Arg(0))
	case o.codec == o.node:
		return o, errors.New("say what to measure: -codec or -node")
	case o.rounds < 1:
		return o, fmt.Errorf("-rounds %d: one round is the least", o.rounds)
	}
	return o, nil
}

func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.node {
		return measureNode(context.Background(), o, measure.Config{Slice: loadSlice}, stdout, stderr)
	}
	return measureCodec(o, measure.Config{}, stdout, stderr)
}

// config adds the flags to how much is measured.
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

// measureCodec is -codec.
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
