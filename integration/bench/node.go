package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gocql/gocql"
	"github.com/google/uuid"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/node"
	"github.com/cassaml/cassaml/integration/bench/report"
	"github.com/cassaml/cassaml/integration/cassandra"
)

// loadSlice is the approximate duration of a slice against a server.
const loadSlice = 150 * time.Millisecond

// clusterSize is the number of nodes of a cluster that -nodes starts.
const clusterSize = 3

// measureNode implements -node, -versioned, -merge and -references.
func measureNode(ctx context.Context, o options, config measure.Config, stdout, stderr io.Writer) error {
	results, err := onNodes(ctx, o.nodes, stderr, func(cluster *gocql.ClusterConfig) ([]measure.LoadResult, error) {
		return runLoads(ctx, o, cluster, o.config(config, stderr))
	})
	if err != nil {
		return err
	}
	return publishNode(o, results, stdout)
}

// onNodes runs f in a keyspace of one server, or of three nodes.
func onNodes[R any](ctx context.Context, nodes int, log io.Writer, f func(*gocql.ClusterConfig) (R, error)) (R, error) {
	if nodes > 1 {
		return onCluster(ctx, log, f)
	}
	return onServer(ctx, log, f)
}

// onServer runs f in a keyspace of one server.
func onServer[R any](ctx context.Context, log io.Writer, f func(*gocql.ClusterConfig) (R, error)) (results R, err error) {
	server, err := cassandra.Start(ctx, cassandra.Config{Log: log, Optimize: true})
	if err != nil {
		return results, err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	return inKeyspace(ctx, server, func(keyspace string) (R, error) {
		cluster := server.Cluster()
		cluster.Keyspace = keyspace
		return f(cluster)
	})
}

// onCluster runs f in a keyspace of three nodes, each of which has a replica of every row.
func onCluster[R any](ctx context.Context, log io.Writer, f func(*gocql.ClusterConfig) (R, error)) (results R, err error) {
	nodes, err := cassandra.LaunchCluster(ctx, cassandra.Config{Log: log, Optimize: true})
	if err != nil {
		return results, err
	}
	defer func() { err = errors.Join(err, nodes.Close()) }()
	cluster := nodes.Cluster()
	cluster.Keyspace, cluster.MaxWaitSchemaAgreement = "bench", time.Minute
	session, err := nodes.Session(ctx, cluster.Keyspace, clusterSize)
	if err != nil {
		return results, err
	}
	session.Close()
	return f(cluster)
}

// runLoads measures the loads of the flags in a keyspace. The WriteCoalesceWaitTime of the cluster is 0.
func runLoads(ctx context.Context, o options, cluster *gocql.ClusterConfig, config measure.Config) ([]measure.LoadResult, error) {
	client, err := node.Connect(ctx, cluster)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	loads, err := newLoads(ctx, client, o)
	if err != nil {
		return nil, err
	}
	return measure.RunLoads(loads, config)
}

// newLoads returns the loads of -versioned, -merge, -references or -node.
func newLoads(ctx context.Context, client *node.Client, o options) ([]measure.Load, error) {
	if o.versioned {
		return client.VersionedLoads(ctx, []int{1, 16}, []int{2, 4, 8})
	}
	if o.merge {
		return client.MergeLoads(1, 32), nil
	}
	if o.references {
		return client.ReferenceLoads(ctx, 1, 16)
	}
	ofParts, err := client.PartLoads(ctx, 1, 32)
	return append(client.Loads(1, 32), ofParts...), err
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
	name, flags, peer := "node", "-node", report.LoadPeer
	if o.versioned {
		name, flags, peer = "versioned", "-versioned", report.Peer
	}
	if o.references {
		name, flags, peer = "references", "-references", report.Peer
	}
	if o.merge {
		name, flags = "merge", "-merge"
		if o.nodes > 1 {
			name, flags = "mergecluster", fmt.Sprintf("-merge -nodes %d", o.nodes)
		}
	} else if o.nodes > 1 {
		name, flags = "cluster", fmt.Sprintf("-versioned -nodes %d", o.nodes)
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
		return report.Replace(o.page, name, section(o, flags, table))
	}
	return nil
}
