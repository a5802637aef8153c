package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/integration/bench/backlog"
	"github.com/cassaml/cassaml/integration/bench/report"
	"github.com/cassaml/cassaml/integration/cassandra"
)

const (
	queueBatch   = 100 // tasks of a call
	queueSamples = 300 // calls of each kind in a measurement
)

// queueStates are the states of the table of -queue.
var queueStates = backlog.States{
	"flushed": func(ctx context.Context, session gocqlx.Session, table string, measured bool) error {
		if !measured {
			return session.ExecStmt("ALTER TABLE " + table + " WITH compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': false}")
		}
		return cassandra.Flush(ctx, session.Session, table)
	},
	"compacted": func(ctx context.Context, session gocqlx.Session, table string, measured bool) error {
		if !measured {
			return nil
		}
		return cassandra.Compact(ctx, session.Session, table)
	},
}

// measureQueue implements -queue.
func measureQueue(ctx context.Context, o options, samples int, stdout, stderr io.Writer) (err error) {
	server, err := cassandra.Start(ctx, cassandra.Config{Log: stderr, Optimize: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	config := backlog.Config{Tasks: o.tasks, Batch: queueBatch, Samples: samples, Progress: stderr}
	var results []backlog.Result
	for _, v := range backlog.Variants(queueStates) {
		of, err := inKeyspace(ctx, server, func(keyspace string) ([]backlog.Result, error) {
			cluster := server.Cluster()
			cluster.Keyspace = keyspace
			session, err := gocqlx.WrapSession(cluster.CreateSession())
			if err != nil {
				return nil, err
			}
			defer session.Close()
			return backlog.Run(ctx, session, config, v)
		})
		if err != nil {
			return err
		}
		results = append(results, of...)
	}
	table := backlog.Table(results)
	if _, err := fmt.Fprintf(stdout, "%s\n\n%s", report.ThisMachine(), table); err != nil {
		return err
	}
	if o.out != "" {
		if err := writeJSON(o.out, "queue.json", results); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, "queue", section(o, fmt.Sprintf("-queue -tasks %d", o.tasks), table))
	}
	return nil
}
