package schemachange

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cassaml/cassaml/internal/wait"
	"github.com/cassaml/cassaml/mapper/driver"
)

const (
	agreementPause = 200 * time.Millisecond
	// peerGrace is how long Agree waits for a node that does not answer this session to
	// reach the schema of the others, as a node in another data centre will.
	peerGrace = 2 * time.Second
	// turnsEach is how many requests are sent for each node. The driver distributes them
	// over the nodes, but other users of the session have requests, too.
	turnsEach = 3

	noVersion = "00000000-0000-0000-0000-000000000000" // of a node that has no schema yet
)

// Nodes describes the nodes of a cluster. Its methods are for one goroutine.
type Nodes struct {
	Session driver.Session

	away map[string]string // nodes that did not answer, with their schema versions
}

// Agreement is the schema on which the nodes that are up agree.
type Agreement struct {
	Version string   // the schema version; a node has it when it uses that schema
	Silent  []string // nodes that are not up and had another version when they were last seen
}

// Agree waits until all nodes that are up have the same schema. A dead node keeps its version in system.peers until it is removed, so
// waiting for all nodes would never end. A node counts as up if it answers this session, because only such a node can receive the next
// statement.
func (n *Nodes) Agree(ctx context.Context) (Agreement, error) {
	for began := time.Now(); ; {
		seen, err := n.pollVersions(ctx)
		if err == nil && seen.one() {
			late := seen.late()
			if n.expected(late) || time.Since(began) > peerGrace {
				n.away = late
				return Agreement{Version: seen.first(), Silent: slices.Sorted(maps.Keys(late))}, nil
			}
		}
		if wait.Sleep(ctx, agreementPause) != nil {
			return Agreement{}, fmt.Errorf("the nodes do not agree on the schema: %w", errors.Join(seen.fault(), err, context.Cause(ctx)))
		}
	}
}

// expected reports whether these nodes did not answer before, either, and still have the same version.
func (n *Nodes) expected(late map[string]string) bool {
	for node, version := range late {
		if n.away[node] != version {
			return false
		}
	}
	return true
}

// versions has the schema version of each node, by host id.
type versions struct {
	own   map[string]string // each node reported its own version
	peers map[string]string // another node reported the version
}

// pollVersions sends requests until all known nodes have answered, or each has had its number of requests.
func (n *Nodes) pollVersions(ctx context.Context) (versions, error) {
	v := versions{own: map[string]string{}}
	var err error
	v.peers, err = n.versions(ctx, "SELECT host_id, schema_version FROM system.peers")
	if err != nil {
		return v, err
	}
	all := len(v.peers) + 1
	for turn := 0; turn < turnsEach*all && len(v.own) < all; turn++ {
		var own map[string]string
		if own, err = n.versions(ctx, "SELECT host_id, schema_version FROM system.local"); err == nil {
			maps.Copy(v.own, own)
		}
	}
	if len(v.own) > 0 {
		err = nil // nodes without an answer are in late
	}
	return v, err
}

func (n *Nodes) versions(ctx context.Context, statement string) (map[string]string, error) {
	rows := n.Session.Query(ctx, driver.Query{CQL: statement, Consistency: driver.One, Metadata: true})
	found := map[string]string{}
	var id, version string
	for rows.Scan(&id, &version) {
		if version != "" && version != noVersion {
			found[id] = version
		}
	}
	return found, rows.Close()
}

// one reports whether all nodes that answered have the same schema.
func (v versions) one() bool {
	return len(v.own) > 0 && len(slices.Compact(slices.Sorted(maps.Values(v.own)))) == 1
}

// first returns the schema version of a node that answered.
func (v versions) first() string {
	for _, version := range v.own {
		return version
	}
	return ""
}

// late returns the nodes that did not answer and that have another schema version in system.peers.
func (v versions) late() map[string]string {
	late := map[string]string{}
	for node, version := range v.peers {
		if _, answered := v.own[node]; !answered && !slices.Contains(slices.Collect(maps.Values(v.own)), version) {
			late[node] = version
		}
	}
	return late
}

// fault returns an error with the schema version of each node.
func (v versions) fault() error {
	text := ""
	for _, node := range slices.Sorted(maps.Keys(v.own)) {
		text += " " + node + " has " + v.own[node] + ";"
	}
	if text == "" {
		return errors.New("no node answered")
	}
	return errors.New("node" + text[:len(text)-1])
}
