package conformance

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

const countersSchema = "CREATE TABLE conform_counters (p int, c int, total counter static, one counter, two counter, PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (c DESC)"

// countersTable is complete except for the statements that a table of counters does not have.
var countersTable = counting(complete(plan.Table{Name: "conform_counters", Aggregate: "Counters", Partition: 1, Key: 2, Columns: []descriptor.Column{
	{Name: "p", Type: "int"},
	{Name: "c", Type: "int", Kind: projection.ClusteringKey, Desc: true},
	{Name: "total", Type: "counter", Kind: projection.Static},
	{Name: "one", Type: "counter", Kind: projection.Regular},
	{Name: "two", Type: "counter", Kind: projection.Regular},
}}))

func counting(t *plan.Table) *plan.Table {
	t.Insert, t.Load, t.Ranges = "", "", nil
	t.Add = "UPDATE conform_counters SET total = total + ?, one = one + ?, two = two + ? WHERE p = ? AND c = ?"
	t.Delete = "DELETE FROM conform_counters WHERE p = ? AND c = ?"
	return t
}

// counts is an author of writes of counters. It does not add to rows that it has deleted.
type counts struct {
	*rand.Rand
	deleted map[[2]int]bool
}

// write returns a random write of a row that has not been deleted; ok is false for a write of nothing.
func (c *counts) write() (m plan.Mutation, ok bool) {
	p, k := c.IntN(4), c.IntN(6)
	key := cell.Row{integer(p), integer(k)}
	switch {
	case c.IntN(12) == 0:
		c.deleted[[2]int{p, k}] = true
		return plan.Mutation{Table: countersTable, Row: key, Action: plan.Delete}, true
	case c.deleted[[2]int{p, k}]: // only to the counter of the partition
		return plan.Increment(countersTable, key, []int64{c.delta(), 0, 0})
	}
	return plan.Increment(countersTable, key, []int64{c.delta(), c.delta(), c.delta()})
}

func (c *counts) delta() int64 {
	return []int64{0, 0, 1, -1, 5, 1 << 40, math.MaxInt64, math.MinInt64}[c.IntN(8)]
}

// Counters in memory have the values that they have on a real node: those of rows and of partitions, also after their rows were deleted.
func TestMemoryCounts(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	storetest.Execute(t, session, countersSchema)
	pair := NewPair(session.Session, memory.Config{})
	s, err := pair.Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{(*descriptor.Table)(countersTable)}})
	require.NoError(t, err)
	seed := rand.Uint64()
	author := &counts{rand.New(rand.NewPCG(seed, 0)), map[[2]int]bool{}}
	rows := 0
	for range 250 {
		m, ok := author.write()
		if !ok {
			continue
		}
		require.NoError(t, s.Apply(t.Context(), []plan.Mutation{m}, store.Write{Consistency: driver.LocalQuorum}), "seed %d", seed)
		if author.IntN(5) > 0 {
			continue
		}
		q := store.Read{Table: countersTable, Key: m.Row[:1+author.IntN(2)], Reverse: author.IntN(2) == 0, Consistency: driver.LocalQuorum}
		for _, err := range s.Rows(t.Context(), q) {
			require.NoError(t, err)
			rows++
		}
		require.Empty(t, pair.report.Differences, "seed %d", seed)
	}
	require.Greater(t, rows, 20)
	require.NotEmpty(t, author.deleted)
}
