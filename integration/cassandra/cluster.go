package cassandra

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
)

// clusterSize is the number of nodes with which a quorum survives the failure of one node. The keyspace that tests whether
// the nodes see each other has the same number of replicas.
const clusterSize = 3

// layout is the data centre of each node of a cluster; nil: all nodes are in the only data centre of a server without a layout.
type layout []string

// check returns an error for another number of nodes, and for a name that is not a plain word.
func (l layout) check() error {
	if l != nil && len(l) != clusterSize {
		return fmt.Errorf("a cluster has %d nodes: there are %d data centres %q", clusterSize, len(l), []string(l))
	}
	for _, name := range l {
		if CheckKeyspace(name) != nil {
			return fmt.Errorf("%q is not the name of a data centre: use letters, digits and underscores", name)
		}
	}
	return nil
}

// Cluster is three nodes of this machine that belong to one test binary. Each can be killed and restarted. They end with the
// process, however it ends, and their data is not kept. Its methods are for one goroutine, except Hosts and Session.
type Cluster struct {
	cfg   Config
	hosts []string
	nodes []member
	turn  io.Closer // closing it lets the next cluster of the machine start

	close  sync.Once
	closed error
}

// member is one node of a cluster.
type member interface {
	origin
	// kill ends the node as kill -9 does, and returns when its process has ended.
	kill(ctx context.Context) error
	// revive starts the node that was killed.
	revive(ctx context.Context) error
	// running returns nil if the process of the node runs.
	running() error
}

// StartCluster starts three nodes, on 127.0.0.1, 127.0.0.2 and 127.0.0.3, and returns when each has answered a read that
// needs all of them. A machine runs one cluster at a time for all test binaries, because three nodes use much of its
// capacity. They run as processes even if CASSANDRA_HOSTS is set, because a test must not kill the nodes of others. Where
// this is not possible ([*NoClusterError]) the test is skipped, or fails if AML_REQUIRE_CASSANDRA=1. The cluster ends with the
// test. If the test fails, the logs are kept, and the test reports their folder.
//
// dataCentres has the data centre of each node, in the order of the nodes; without it, all are in one. The snitch of a cluster with data
// centres is GossipingPropertyFileSnitch. Its nodes keep no hints, so that a node that was down lacks the writes of that time, as after an
// outage that is longer than max_hint_window, until they are repaired.
func StartCluster(t testing.TB, dataCentres ...string) *Cluster {
	t.Helper()
	return startCluster(t, Config{Log: t.Output()}, dataCentres...)
}

// StartClocks starts three nodes as [StartCluster] does. Their clocks are ahead of the clock of the machine.
func StartClocks(t testing.TB, ahead ...time.Duration) *Cluster {
	t.Helper()
	return startCluster(t, Config{Log: t.Output(), Clocks: ahead})
}

func startCluster(t testing.TB, cfg Config, dataCentres ...string) *Cluster {
	t.Helper()
	cluster, err := LaunchCluster(t.Context(), cfg, dataCentres...)
	if err != nil {
		refuse(t, err)
	}
	t.Cleanup(func() {
		cluster.cfg.Log = nil
		if t.Failed() {
			cluster.report(t)
		}
		for _, n := range cluster.nodes {
			n.keepLogs(t.Failed())
		}
		if err := cluster.Close(); err != nil {
			t.Error(err)
		}
	})
	return cluster
}

func (c *Cluster) report(t testing.TB) {
	for i, n := range c.nodes {
		t.Logf("cassandra: the logs of node %d are in %s, its last lines:\n%s", i, n.logDir(), n.logTail(tailLines))
	}
}

// LaunchCluster starts three nodes as [StartCluster] does, without a test. The caller closes the cluster.
func LaunchCluster(ctx context.Context, cfg Config, dataCentres ...string) (*Cluster, error) {
	c, err := launchCluster(ctx, cfg, dataCentres)
	if err != nil {
		return nil, fmt.Errorf("cassandra: %w", err)
	}
	return c, nil
}

// launchCluster launches nodes and waits until each sees all others.
func launchCluster(ctx context.Context, cfg Config, l layout) (*Cluster, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	if n := len(cfg.Clocks); n > 0 && n != clusterSize {
		return nil, fmt.Errorf("a cluster has %d nodes: there are %d clocks", clusterSize, n)
	}
	local, err := findLocal(ctx, cfg)
	if err != nil {
		return nil, &NoClusterError{Local: err}
	}
	turn, err := local.awaitTurn(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, cfg.timeout())
	defer cancel()
	c, err := local.launchCluster(ctx, l)
	if err != nil {
		return nil, errors.Join(err, turn.Close())
	}
	c.turn = turn
	if err := c.await(ctx); err != nil {
		failure := &StartError{Err: err, LogDir: c.logDirs(), Tail: c.tails()}
		return nil, errors.Join(failure, c.Close())
	}
	return c, nil
}

// LogDirs returns the folder with the logs of each node.
func (c *Cluster) LogDirs() []string {
	var dirs []string
	for _, n := range c.nodes {
		dirs = append(dirs, n.logDir())
	}
	return dirs
}

func (c *Cluster) logDirs() string { return strings.Join(c.LogDirs(), ", ") }

func (c *Cluster) tails() string {
	var text string
	for i, n := range c.nodes {
		text += fmt.Sprintf("node %d, %s", i, n.logTail(tailLines))
	}
	return text
}

// Hosts returns the contact points, each as host:port, in the order of the nodes.
func (c *Cluster) Hosts() []string { return slices.Clone(c.hosts) }

// Cluster returns a configuration of the driver like [Server.Cluster].
func (c *Cluster) Cluster() *gocql.ClusterConfig { return newCluster(c.hosts, false) }

// Session returns a session in the keyspace, which it creates with the given number of replicas if it does not exist. The
// configuration of the session is the configuration of [Server.Cluster]. The caller closes it.
func (c *Cluster) Session(ctx context.Context, keyspace string, replicas int) (gocqlx.Session, error) {
	return openKeyspace(ctx, c.Cluster(), keyspace, replicas, true)
}

// Kill ends a node, counted from 0, as kill -9 does: unwritten data is lost, and no client is notified. It returns when the
// process has ended; the other nodes need some seconds to notice.
func (c *Cluster) Kill(ctx context.Context, node int) error {
	if err := c.nodes[node].kill(ctx); err != nil {
		return fmt.Errorf("cassandra: kill node %d: %w", node, err)
	}
	return nil
}

// Restart starts a node that was killed, with its stored data. It returns when the node answers a read and, if all nodes
// run, when each of them answers a read that needs all.
func (c *Cluster) Restart(ctx context.Context, node int) error {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.timeout())
	defer cancel()
	err := c.nodes[node].revive(ctx)
	if err == nil {
		err = awaitAnswer(ctx, c.cfg, c.hosts[node:node+1], c.nodes[node].running)
	}
	if err == nil && c.whole() {
		err = c.await(ctx)
	}
	if err != nil {
		return fmt.Errorf("cassandra: restart node %d: %w", node, err)
	}
	return nil
}

// whole reports whether all nodes run.
func (c *Cluster) whole() bool {
	return !slices.ContainsFunc(c.nodes, func(n member) bool { return n.running() != nil })
}

// await returns when each node answers and sees all others.
func (c *Cluster) await(ctx context.Context) error {
	for i, n := range c.nodes {
		if err := awaitAnswer(ctx, c.cfg, c.hosts[i:i+1], n.running); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
	}
	for i, n := range c.nodes {
		if err := awaitWhole(ctx, c.hosts[i], n.running); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
	}
	return nil
}

// Close ends all nodes. Further calls do nothing and return the result of the first.
func (c *Cluster) Close() error {
	c.close.Do(func() {
		var faults []error
		for _, n := range c.nodes {
			faults = append(faults, n.release())
		}
		if c.turn != nil {
			faults = append(faults, c.turn.Close())
		}
		if err := errors.Join(faults...); err != nil {
			c.closed = fmt.Errorf("cassandra: close cluster: %w", err)
		}
	})
	return c.closed
}
