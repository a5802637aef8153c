package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/followers"
	"github.com/cassaml/cassaml/integration/bench/report"
)

// defaultStores are the numbers of stores of -stores.
var defaultStores = sizes{1, 4}

// measureFanOut implements -fanout.
func measureFanOut(ctx context.Context, o options, stdout, stderr io.Writer) error {
	config := followers.Config{Holders: o.holders, Stores: o.stores, Rounds: (o.rounds + fewerRounds - 1) / fewerRounds, Progress: stderr}
	results, err := onNodes(ctx, o.nodes, stderr, func(cluster *gocql.ClusterConfig) ([]followers.Result, error) {
		return followers.Run(ctx, cluster, config)
	})
	if err != nil {
		return err
	}
	name, flags := "fanout", fmt.Sprintf("-fanout -holders %d", o.holders)
	if o.holders >= followers.WarmHolders {
		name = "fanoutlarge"
	}
	if !slices.Equal(o.stores, defaultStores) {
		flags += " -stores " + o.stores.String()
	}
	if o.nodes > 1 {
		name, flags = "fanoutcluster", fmt.Sprintf("%s -nodes %d", flags, o.nodes)
	}
	table := followers.Table(results)
	if _, err := fmt.Fprintf(stdout, "%s\n\n%s", report.ThisMachine(), table); err != nil {
		return err
	}
	if o.out != "" {
		if err := writeJSON(o.out, name+".json", results); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, name, section(o, flags, table))
	}
	return nil
}
