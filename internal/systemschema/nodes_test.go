package systemschema_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/mapper/driver"
)

// cluster is a session whose requests are answered by nodes in a given order. Each node knows the others as peers.
type cluster struct {
	driver.Session
	nodes []systemschema.Node
	order []int // repeats
	sent  int
	fail  int // the number of the request that fails; 0: none
}

func (c *cluster) Query(_ context.Context, q driver.Query) driver.Rows {
	at := c.order[c.sent%len(c.order)]
	c.sent++
	r := &answer{node: c.nodes[at].Address}
	if c.sent == c.fail {
		r.err = errors.New("no answer")
		return r
	}
	for i, n := range c.nodes {
		if (i == at) == strings.Contains(q.CQL, "system.local") {
			r.rows = append(r.rows, n)
		}
	}
	return r
}

// answer is the answer of a node.
type answer struct {
	driver.Rows
	node string
	rows []systemschema.Node
	err  error
}

func (r *answer) Scan(into ...any) bool {
	if len(r.rows) == 0 {
		return false
	}
	for i, text := range []string{r.rows[0].Address, r.rows[0].Release, r.rows[0].DataCentre, r.rows[0].Client} {
		*into[i].(*string) = text
	}
	r.rows = r.rows[1:]
	return true
}

func (r *answer) Node() string { return r.node }
func (*answer) Protocol() int  { return 4 }
func (r *answer) Close() error { return r.err }

// All nodes are found, whichever of them answer: the node that has answered is not among its peers.
func TestNodes(t *testing.T) {
	all := []systemschema.Node{{"10.0.0.1", "10.1.0.1", "dc1", "5.0.8"}, {"10.0.0.2", "10.1.0.2", "dc2", "4.1.10"}, {"10.0.0.3", "10.1.0.3", "dc1", "5.0.8"}}
	for _, test := range []struct {
		nodes int
		order []int
	}{
		{1, []int{0}},
		{2, []int{0, 1}}, {2, []int{1, 0}}, {2, []int{0, 0, 1}}, {2, []int{1, 1, 0}}, {2, []int{1}}, {2, []int{0, 0, 1, 1}},
		{3, []int{0, 1, 2}}, {3, []int{1, 1, 0, 1, 1, 2}}, {3, []int{1, 1, 0, 1, 1, 2, 1}}, {3, []int{2}},
	} {
		c := &cluster{nodes: all[:test.nodes], order: test.order}
		nodes, protocol, err := systemschema.Nodes(t.Context(), c, driver.Once)
		require.NoError(t, err)
		require.Equal(t, all[:test.nodes], nodes, test.order)
		require.Equal(t, 4, protocol)
		oldest, _, err := systemschema.Oldest(t.Context(), c, driver.Once)
		require.NoError(t, err)
		require.Equal(t, all[min(1, test.nodes-1)], oldest, test.order)
	}
	for fail := range 3 {
		_, _, err := systemschema.Nodes(t.Context(), &cluster{nodes: all[:1], order: []int{0}, fail: fail + 1}, driver.Once)
		require.EqualError(t, err, "read the nodes of the cluster: no answer")
	}
}
