package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cassaml/cassaml/integration/bench/growth"
	"github.com/cassaml/cassaml/integration/bench/report"
	"github.com/cassaml/cassaml/integration/cassandra"
)

// measureParts implements -parts.
func measureParts(ctx context.Context, o options, sizes []int, stdout, stderr io.Writer) (err error) {
	server, err := cassandra.Start(ctx, cassandra.Config{Log: stderr, Optimize: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	config := growth.Config{Sizes: sizes, Games: (o.rounds + fewerRounds - 1) / fewerRounds, Progress: stderr}
	results, err := inKeyspace(ctx, server, func(keyspace string) ([]growth.Result, error) {
		cluster := server.Cluster()
		cluster.Keyspace = keyspace
		return growth.Run(ctx, cluster, config)
	})
	if err != nil {
		return err
	}
	return publishParts(o, results, stdout)
}

// publishParts prints the table, and writes the files of the flags.
func publishParts(o options, results []growth.Result, stdout io.Writer) error {
	table := growth.Table(results)
	if _, err := fmt.Fprintf(stdout, "%s\n\n%s", report.ThisMachine(), table); err != nil {
		return err
	}
	if o.out != "" {
		chart, err := growth.Chart(results)
		if err != nil {
			return err
		}
		if err := errors.Join(writeJSON(o.out, "parts.json", results), write(o.out, "parts.svg", chart)); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, "parts", section(o, "-parts", table))
	}
	return nil
}
