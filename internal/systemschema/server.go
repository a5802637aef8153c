package systemschema

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/mapper/driver"
)

// Node is one server of a cluster.
type Node struct {
	Address    string // other nodes connect to it
	Client     string // clients connect to it
	DataCentre string
	Release    string // 4.1.10; "" while it is not known
}

// String returns the node as in messages: node 10.0.0.1 runs Cassandra 4.1.10.
func (n Node) String() string { return "node " + n.Address + " runs Cassandra " + n.Release }

// Before reports whether the release of the node is known and older than a version. 5.0-rc1 is not before 5.0.
func (n Node) Before(major, minor int) bool {
	have := n.numbers()
	return n.Release != "" && (have[0] < major || have[0] == major && have[1] < minor)
}

// numbers returns the first two numbers of the release; 0 for what is no number.
func (n Node) numbers() (out [2]int) {
	text := n.Release
	for i := range out {
		digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
		out[i], _ = strconv.Atoi(text[:digits]) // 0 without digits
		if text = text[digits:]; !strings.HasPrefix(text, ".") {
			break
		}
		text = text[1:]
	}
	return out
}

// Oldest returns the node with the oldest release that a cluster knows: during an upgrade, its nodes have different ones. It also
// returns the version of the protocol; 0 if the driver does not know it.
func Oldest(ctx context.Context, session driver.Session, attempts driver.Attempts) (oldest Node, protocol int, err error) {
	nodes, protocol, err := Nodes(ctx, session, attempts)
	for _, n := range nodes {
		a, b := n.numbers(), oldest.numbers()
		if n.Release != "" && (oldest.Release == "" || cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) < 0) {
			oldest = n
		}
	}
	return oldest, protocol, err
}

// Nodes returns the nodes of a cluster in the order of their addresses, and the version of the protocol; 0 if the driver does not know it.
func Nodes(ctx context.Context, session driver.Session, attempts driver.Attempts) ([]Node, int, error) {
	r := nodeReader{session: session, attempts: attempts, found: map[string]Node{}, peers: map[string]bool{}, own: map[string]bool{}}
	err := r.readAll(ctx)
	if err != nil {
		err = fmt.Errorf("read the nodes of the cluster: %w", err)
	}
	return slices.SortedFunc(maps.Values(r.found), func(a, b Node) int { return cmp.Compare(a.Address, b.Address) }), r.protocol, err
}

// nodeReader reads the nodes of a cluster. The rows of one answer do not have all of them: a node is not in its own system.peers, and the
// next request can be answered by another node.
type nodeReader struct {
	session    driver.Session
	attempts   driver.Attempts
	protocol   int
	found      map[string]Node // keys: addresses
	peers, own map[string]bool // the nodes that have answered with their peers, and with themselves
}

// nodeTurns limits the reads of a session whose requests are always answered by nodes that do not complete the list.
const nodeTurns = 16

// readAll reads the peers of two nodes, or the peers of a node and the node itself.
func (r *nodeReader) readAll(ctx context.Context) error {
	for turn := range nodeTurns {
		for range 2 + turn%2 { // if nodes answer in turn, an equal number in each turn could reach the same nodes again
			if err := r.read(ctx, "SELECT peer, release_version, data_center, rpc_address FROM system.peers", r.peers); err != nil {
				return err
			}
		}
		if len(r.peers) > 1 {
			return nil
		}
		if err := r.read(ctx, "SELECT broadcast_address, release_version, data_center, rpc_address FROM system.local WHERE key = 'local'", r.own); err != nil {
			return err
		}
		for node := range r.own {
			if r.peers[node] {
				return nil
			}
		}
	}
	return nil
}

// read adds the nodes of an answer, and the node that has answered.
func (r *nodeReader) read(ctx context.Context, stmt string, from map[string]bool) error {
	rows := r.session.Query(ctx, driver.Query{CQL: stmt, Consistency: driver.One, Attempts: r.attempts})
	r.protocol = cmp.Or(r.protocol, rows.Protocol())
	from[rows.Node()] = true
	for n := (Node{}); rows.Scan(&n.Address, &n.Release, &n.DataCentre, &n.Client); n = (Node{}) {
		r.found[n.Address] = n
	}
	return rows.Close()
}
