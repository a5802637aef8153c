package indexbuild

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/internal/systemschema"
)

// indexes reads the state of indexes from the nodes.
type indexes struct {
	session *gocql.Session
	nodes   *Nodes
}

func (i *indexes) indexNames(ctx context.Context, table string) ([]string, error) {
	all, err := systemschema.Reader{Session: i.session, Keyspace: i.keyspace()}.Indexes(ctx, table)
	var names []string
	for _, one := range all {
		names = append(names, one.Name)
	}
	return names, err
}

func (i *indexes) addresses() []string { return i.nodes.addresses() }

// built reads the table in which a node records the indexes that it has built, for indexes of all classes. In it, table_name is the
// keyspace.
func (i *indexes) built(ctx context.Context, node string) ([]string, error) {
	return i.names(context.WithValue(ctx, nodeKey{}, node), `SELECT index_name FROM system."IndexInfo" WHERE table_name = ?`, i.keyspace())
}

func (i *indexes) keyspace() string { return i.session.Query("").Keyspace() }

func (i *indexes) names(ctx context.Context, statement string, values ...any) (names []string, err error) {
	rows := i.session.Query(statement, values...).WithContext(ctx).Consistency(gocql.One).RetryPolicy(nil).NoSkipMetadata().Iter()
	for name := ""; rows.Scan(&name); {
		names = append(names, name)
	}
	return names, rows.Close()
}

// nodeKey is the key of the address of a node in the context of a request that only this node can answer.
type nodeKey struct{}

// Nodes are the nodes of a cluster. It is a host selection policy of the driver that can send a request to a given node.
type Nodes struct {
	gocql.HostSelectionPolicy

	mu    sync.Mutex
	known map[string]*gocql.HostInfo // the key is the address; nodes that are down are included
}

// NewNodes returns a policy for [gocql.ClusterConfig].
func NewNodes() *Nodes {
	return &Nodes{HostSelectionPolicy: gocql.RoundRobinHostPolicy(), known: map[string]*gocql.HostInfo{}}
}

// AddHost implements [gocql.HostSelectionPolicy].
func (n *Nodes) AddHost(host *gocql.HostInfo) {
	n.mu.Lock()
	n.known[host.ConnectAddressAndPort()] = host
	n.mu.Unlock()
	n.HostSelectionPolicy.AddHost(host)
}

// RemoveHost implements [gocql.HostSelectionPolicy].
func (n *Nodes) RemoveHost(host *gocql.HostInfo) {
	n.mu.Lock()
	delete(n.known, host.ConnectAddressAndPort())
	n.mu.Unlock()
	n.HostSelectionPolicy.RemoveHost(host)
}

// Pick implements [gocql.HostSelectionPolicy].
func (n *Nodes) Pick(q gocql.ExecutableQuery) gocql.NextHost {
	address, ok := q.Context().Value(nodeKey{}).(string)
	if !ok {
		return n.HostSelectionPolicy.Pick(q)
	}
	n.mu.Lock()
	next := n.known[address]
	n.mu.Unlock()
	return func() gocql.SelectedHost {
		if next == nil {
			return nil
		}
		s := selected{next}
		next = nil
		return s
	}
}

func (n *Nodes) addresses() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Sorted(maps.Keys(n.known))
}

// selected is a node that a request is sent to.
type selected struct{ host *gocql.HostInfo }

// Info implements [gocql.SelectedHost].
func (s selected) Info() *gocql.HostInfo { return s.host }

// Mark implements [gocql.SelectedHost].
func (selected) Mark(error) {}
