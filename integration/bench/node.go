package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/node"
	"github.com/cassaml/cassaml/integration/bench/report"
	"github.com/cassaml/cassaml/integration/cassandra"
)

// loadSlice is the approximate duration of a slice against a server.
const loadSlice = 150 * time.Millisecond

// measureNode implements -node and -versioned.
func measureNode(ctx context.Context, o options, config measure.Config, stdout, stderr io.Writer) (err error) {
	server, err := cassandra.Start(ctx, cassandra.Config{Log: stderr, Optimize: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	results, err := inKeyspace(ctx, server, func(keyspace string) ([]measure.LoadResult, error) {
		cluster := server.Cluster() // its WriteCoalesceWaitTime is 0
		cluster.Keyspace = keyspace
		client, err := node.Connect(ctx, cluster)
		if err != nil {
			return nil, err
		}
		defer client.Close()
		loads := client.Loads(1, 32)
		if o.versioned {
			if loads, err = client.VersionedLoads(ctx, []int{1, 16}, []int{2, 4, 8}); err != nil {
				return nil, err
			}
		}
		return measure.RunLoads(loads, o.config(config, stderr))
	})
	if err != nil {
		return err
	}
	return publishNode(o, results, stdout)
}

// inKeyspace runs f in a keyspace that is dropped afterwards.
func inKeyspace[T any](ctx context.Context, server *cassandra.Server, f func(keyspace string) (T, error)) (results T, err error) {
	name := "bench_" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	session, err := server.Keyspace(ctx, name)
	if err != nil {
		return results, err
	}
	defer session.Close()
	defer func() { err = errors.Join(err, session.ExecStmt("DROP KEYSPACE "+name)) }()
	return f(name)
}

// publishNode prints the table, and writes the files of the flags.
func publishNode(o options, results []measure.LoadResult, stdout io.Writer) error {
	name, peer := "node", report.LoadPeer
	if o.versioned {
		name, peer = "versioned", report.Peer
	}
	table := report.LoadTable(results, peer)
	if _, err := fmt.Fprintf(stdout, "%s; WriteCoalesceWaitTime 0\n\n%s", report.ThisMachine(), table); err != nil {
		return err
	}
	if o.out != "" {
		if err := writeJSON(o.out, name+".json", results); err != nil {
			return err
		}
	}
	if o.page != "" {
		return report.Replace(o.page, name, section(o, "-"+name, table))
	}
	return nil
}
