package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cassaml/cassaml/integration/bench/followers"
	"github.com/cassaml/cassaml/integration/bench/report"
	"github.com/cassaml/cassaml/integration/cassandra"
)

// measureFanOut implements -fanout.
func measureFanOut(ctx context.Context, o options, stdout, stderr io.Writer) (err error) {
	server, err := cassandra.Start(ctx, cassandra.Config{Log: stderr, Optimize: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	config := followers.Config{Holders: o.holders, Stores: []int{1, 4}, Rounds: (o.rounds + fewerRounds - 1) / fewerRounds, Progress: stderr}
	results, err := inKeyspace(ctx, server, func(keyspace string) ([]followers.Result, error) {
		cluster := server.Cluster()
		cluster.Keyspace = keyspace
		return followers.Run(ctx, cluster, config)
	})
	if err != nil {
		return err
	}
	table := followers.Table(results)
	if _, err := fmt.Fprintf(stdout, "%s\n\n%s", report.ThisMachine(), table); err != nil {
		return err
	}
	if o.out != "" {
		if err := writeJSON(o.out, "fanout.json", results); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, "fanout", section(o, fmt.Sprintf("-fanout -holders %d", o.holders), table))
	}
	return nil
}
