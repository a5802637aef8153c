package gocqldriver

import (
	"maps"
	"slices"
	"sync"

	"github.com/gocql/gocql"
)

// nodeKey is the key under which the context of a query has the address of its node.
type nodeKey struct{}

// Nodes is a policy that can send a request to a given node. It leaves all other requests to the policy that it wraps, with the data centre
// of that policy.
type Nodes struct {
	gocql.HostSelectionPolicy

	mu    sync.Mutex
	known map[string]*gocql.HostInfo // all nodes by address, including nodes that are down
}

// NewNodes returns a policy for gocql.ClusterConfig.PoolConfig. policy selects the nodes of other requests; nil: they take turns.
func NewNodes(policy gocql.HostSelectionPolicy) *Nodes {
	if policy == nil {
		policy = gocql.RoundRobinHostPolicy()
	}
	return &Nodes{HostSelectionPolicy: policy, known: map[string]*gocql.HostInfo{}}
}

// AddHost implements gocql.HostSelectionPolicy.
func (n *Nodes) AddHost(host *gocql.HostInfo) {
	n.mu.Lock()
	n.known[host.ConnectAddressAndPort()] = host
	n.mu.Unlock()
	n.HostSelectionPolicy.AddHost(host)
}

// RemoveHost implements gocql.HostSelectionPolicy.
func (n *Nodes) RemoveHost(host *gocql.HostInfo) {
	n.mu.Lock()
	delete(n.known, host.ConnectAddressAndPort())
	n.mu.Unlock()
	n.HostSelectionPolicy.RemoveHost(host)
}

// Pick implements gocql.HostSelectionPolicy.
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

// selected is a node that was selected for a request.
type selected struct{ host *gocql.HostInfo }

// Info implements gocql.SelectedHost.
func (s selected) Info() *gocql.HostInfo { return s.host }

// Mark implements gocql.SelectedHost.
func (selected) Mark(error) {}
