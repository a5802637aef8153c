package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/integration/bench/reconciling"
	"github.com/cassaml/cassaml/integration/bench/report"
	"github.com/cassaml/cassaml/integration/cassandra"
)

// fewerRounds divides the number of rounds for Reconcile and for games, whose figure is the fastest round.
const fewerRounds = 4

// sizes is a flag: ascending positive numbers.
type sizes []int

// String returns the numbers, separated by commas.
func (s *sizes) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(*s)), " ", ","), "[]")
}

// Set sets the numbers.
func (s *sizes) Set(text string) error {
	*s = nil
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 || len(*s) > 0 && n <= (*s)[len(*s)-1] {
			return errors.New("use ascending positive numbers, separated by commas")
		}
		*s = append(*s, n)
	}
	return nil
}

// measureReconcile implements -reconcile.
func measureReconcile(ctx context.Context, o options, stdout, stderr io.Writer) (err error) {
	server, err := cassandra.Start(ctx, cassandra.Config{Log: stderr, Optimize: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	config := reconciling.Config{
		Sizes: o.roots, Processes: []int{1, 2, 4}, Rounds: (o.rounds + fewerRounds - 1) / fewerRounds, Progress: stderr,
	}
	results, err := inKeyspace(ctx, server, func(keyspace string) ([]reconciling.Result, error) {
		cluster := server.Cluster()
		cluster.Keyspace = keyspace
		return reconciling.Run(ctx, cluster, config)
	})
	if err != nil {
		return err
	}
	return publishReconcile(o, results, stdout)
}

// publishReconcile prints the table, and writes the files of the flags.
func publishReconcile(o options, results []reconciling.Result, stdout io.Writer) error {
	table := reconciling.Table(results)
	if _, err := fmt.Fprintf(stdout, "%s\n\n%s", report.ThisMachine(), table); err != nil {
		return err
	}
	if o.out != "" {
		if err := writeJSON(o.out, "reconcile.json", results); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, "reconcile", section(o, "-reconcile", table))
	}
	return nil
}
