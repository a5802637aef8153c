package systemschema

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/mapper/driver"
)

// Node is one server of a cluster.
type Node struct {
	Address string
	Release string // 4.1.10; "" while it is not known
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
	for _, stmt := range []string{
		"SELECT broadcast_address, release_version FROM system.local WHERE key = 'local'",
		"SELECT peer, release_version FROM system.peers",
	} {
		rows := session.Query(ctx, driver.Query{CQL: stmt, Consistency: driver.One, Attempts: attempts})
		protocol = cmp.Or(protocol, rows.Protocol())
		var n Node
		for rows.Scan(&n.Address, &n.Release) {
			a, b := n.numbers(), oldest.numbers()
			if n.Release != "" && (oldest.Release == "" || cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) < 0) {
				oldest = n
			}
			n = Node{}
		}
		if err := rows.Close(); err != nil {
			return oldest, protocol, fmt.Errorf("read the versions of the servers: %w", err)
		}
	}
	return oldest, protocol, nil
}
