package main

import (
	"context"
	"fmt"
	"io"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/node"
	"github.com/cassaml/cassaml/integration/bench/reconciling"
	"github.com/cassaml/cassaml/integration/bench/report"
)

// measureScan implements -scan.
func measureScan(ctx context.Context, o options, config measure.Config, stdout, stderr io.Writer) error {
	var heap uint64
	results, err := onServer(ctx, stderr, func(cluster *gocql.ClusterConfig) ([]measure.LoadResult, error) {
		client, err := node.Connect(ctx, cluster)
		if err != nil {
			return nil, err
		}
		defer client.Close()
		loads, err := client.ScanLoads(ctx, o.rows)
		if err != nil {
			return nil, err
		}
		peak := reconciling.WatchHeap()
		if err := client.Scan(); err != nil {
			return nil, err
		}
		heap = peak()
		return measure.RunLoads(loads, o.config(config, stderr))
	})
	if err != nil {
		return err
	}
	return publishScan(o, node.PerPage(results, o.rows), heap, stdout)
}

// publishScan prints the table, and writes the files of the flags.
func publishScan(o options, results []measure.LoadResult, heap uint64, stdout io.Writer) error {
	table := report.LoadTable(results, report.LoadPeer)
	rows := fmt.Sprintf("%d rows; the heap of one scan has at most %.1f MB", o.rows, float64(heap)/1e6)
	if _, err := fmt.Fprintf(stdout, "%s; WriteCoalesceWaitTime 0; %s\n\n%s", report.ThisMachine(), rows, table); err != nil {
		return err
	}
	if o.out != "" {
		if err := writeJSON(o.out, "scan.json", results); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, "scan", section(o, fmt.Sprintf("-scan -rows %d", o.rows), table+"\n"+rows+".\n"))
	}
	return nil
}
