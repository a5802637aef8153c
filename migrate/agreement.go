package migrate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gocql/gocql"
)

const (
	agreementPause = 200 * time.Millisecond
	// peerGrace is how long agree waits for a node that does not answer this session to
	// reach the schema of the others, as a node in another data centre will.
	peerGrace = 2 * time.Second
	// turnsEach is how many requests are sent for each node. The driver distributes them
	// over the nodes, but other users of the session have requests, too.
	turnsEach = 3
)

// agree waits until all nodes that are up have the same schema. A dead node keeps its version in system.peers until it is removed, so
// waiting for all nodes would never end. A node counts as up if it answers this session, because only such a node can receive the next
// statement.
func (t *table) agree(ctx context.Context) (agreement, error) {
	for began := time.Now(); ; {
		seen, err := t.look(ctx)
		if err == nil && seen.one() {
			late := seen.late()
			if t.expected(late) || time.Since(began) > peerGrace {
				t.away = late
				return agreement{version: seen.first(), silent: slices.Sorted(maps.Keys(late))}, nil
			}
		}
		if !sleep(ctx, agreementPause) {
			return agreement{}, fmt.Errorf("the nodes do not agree on the schema: %w", errors.Join(seen.fault(), err, context.Cause(ctx)))
		}
	}
}

// expected reports whether these nodes did not answer before, either, and still have the same version.
func (t *table) expected(late map[string]string) bool {
	for node, version := range late {
		if t.away[node] != version {
			return false
		}
	}
	return true
}

// versions has the schema version of each node, by host id.
type versions struct {
	own   map[string]string // as reported by the node itself
	peers map[string]string // as reported by another node
}

// look sends requests until all known nodes have answered, or each has had its number of requests.
func (t *table) look(ctx context.Context) (versions, error) {
	v := versions{own: map[string]string{}}
	var err error
	v.peers, err = t.versions(ctx, "SELECT host_id, schema_version FROM system.peers")
	if err != nil {
		return v, err
	}
	all := len(v.peers) + 1
	for turn := 0; turn < turnsEach*all && len(v.own) < all; turn++ {
		var own map[string]string
		if own, err = t.versions(ctx, "SELECT host_id, schema_version FROM system.local"); err == nil {
			maps.Copy(v.own, own)
		}
	}
	if len(v.own) > 0 {
		err = nil // nodes without an answer are in late
	}
	return v, err
}

func (t *table) versions(ctx context.Context, statement string) (map[string]string, error) {
	rows := t.query(ctx, statement).Consistency(gocql.One).Iter()
	found := map[string]string{}
	var id, version gocql.UUID
	for rows.Scan(&id, &version) {
		if version != (gocql.UUID{}) {
			found[id.String()] = version.String()
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
