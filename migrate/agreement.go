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
	// silence is how long a node that does not answer this session is given to
	// come to the schema of the others, as one in another data centre will.
	peerGrace = 2 * time.Second
	// turnsEach is how many requests a node has the chance to answer: the driver
	// sends them round, but others may use the session at the same time.
	turnsEach = 3
)

// agree waits until all nodes have one schema, apart from those that are down:
// system.peers keeps the version that a dead node had, so it alone would be
// waited for until somebody removes it. A node counts as up when it answers this
// session, which is also the condition for it to be sent the next statement.
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

// expected reports whether these nodes were silent before and still are where
// they were.
func (t *table) expected(late map[string]string) bool {
	for node, version := range late {
		if t.away[node] != version {
			return false
		}
	}
	return true
}

// versions is the schema of each node, by its host id.
type versions struct {
	own   map[string]string // as the node says itself
	peers map[string]string // as another one says
}

// look asks nodes until all that are known have answered, or had their turns.
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
		err = nil // whoever did not answer is judged by its silence
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

// one reports whether those that answered have one schema.
func (v versions) one() bool {
	return len(v.own) > 0 && len(slices.Compact(slices.Sorted(maps.Values(v.own)))) == 1
}

// first is the schema of one that answered.
func (v versions) first() string {
	for _, version := range v.own {
		return version
	}
	return ""
}

// late lists who did not answer and is said to have another schema.
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
