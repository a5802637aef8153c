package conformance

import (
	"math/rand/v2"
	"strings"
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

const savedSchema = "CREATE TABLE conform_saved (p int PRIMARY KEY, word text, tags set<int>, version bigint, pending map<blob, bigint>, ids frozen<list<uuid>>)"

var savedTable = complete(plan.Table{Name: "conform_saved", Aggregate: "Saved", Partition: 1, Key: 1, Columns: []descriptor.Column{
	{Name: "p", Type: "int"},
	{Name: "word", Type: "text", Kind: projection.Regular},
	{Name: "tags", Type: "set<int>", Kind: projection.Regular, Cells: projection.Set},
	{Name: "version", Type: "bigint", Kind: projection.Regular},
	{Name: "pending", Type: "map<blob, bigint>", Kind: projection.Regular, Cells: projection.Map},
	{Name: "ids", Type: "frozen<list<uuid>>", Kind: projection.Regular},
}})

const (
	savedVersion = 3
	savedPending = 4
)

// conditional returns a random conditional statement: an insert, an update of every column, or one that adds to and removes
// from the map.
func conditional(r *rand.Rand) *plan.Conditional {
	t := savedTable
	c := &plan.Conditional{Table: t, Row: cell.Row{integer(r.IntN(4)), null(r, cell.Cell("w")), null(r, numbers(r)), null(r, bigint(r)), null(r, entries(r)), null(r, ids(r))}}
	if r.IntN(3) == 0 {
		c.Insert, c.CQL = true, strings.Replace(t.Insert, " USING TIMESTAMP ? AND TTL ?", " IF NOT EXISTS", 1)
		return c
	}
	var set []string
	change := r.IntN(2) == 0
	for i := t.Key; i < len(t.Columns); i++ {
		if change && i == savedPending {
			continue
		}
		c.Write.Add(i)
		set = append(set, t.Columns[i].CQL+" = ?")
	}
	if change {
		c.Map, c.Added, c.Removed = savedPending, entries(r), keys(r)
		set = append(set, "pending = pending + ?", "pending = pending - ?")
	}
	c.If = []plan.Condition{{Column: savedVersion, Value: null(r, bigint(r))}}
	condition := "version = ?"
	if r.IntN(3) == 0 {
		c.If = append(c.If, plan.Condition{Column: 1, Value: null(r, cell.Cell("w"))})
		condition += " AND word = ?"
	}
	c.CQL = "UPDATE conform_saved SET " + strings.Join(set, ", ") + " WHERE p = ? IF " + condition
	return c
}

func null(r *rand.Rand, c cell.Cell) cell.Cell {
	if r.IntN(4) == 0 {
		return nil
	}
	return c
}

// bigint returns one of three versions.
func bigint(r *rand.Rand) cell.Cell { return plan.Bigint(int64(r.IntN(3))) }

func numbers(r *rand.Rand) cell.Cell {
	return cell.AppendValue(cell.AppendCount(nil, 1), integer(r.IntN(3)))
}

func keys(r *rand.Rand) cell.Cell {
	return cell.AppendValue(cell.AppendCount(nil, 1), cell.Cell{byte(r.IntN(4))})
}

func entries(r *rand.Rand) cell.Cell {
	out := cell.AppendCount(nil, 2)
	for k := range 2 {
		out = cell.AppendValue(cell.AppendValue(out, cell.Cell{byte(2*k + r.IntN(2))}), bigint(r))
	}
	return out
}

func ids(r *rand.Rand) cell.Cell {
	id := [16]byte{6: 0x40, 8: 0x80, 15: byte(r.IntN(3))}
	return cell.AppendValue(cell.AppendCount(nil, 1), id[:])
}

// Conditional statements are applied, refused and answered as a real node does, and leave the same rows.
func TestMemoryComparesAndSets(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	storetest.Execute(t, session, savedSchema)
	pair := NewPair(session.Session, memory.Config{})
	s, err := pair.Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{(*descriptor.Table)(savedTable)}})
	require.NoError(t, err)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	applied := 0
	for range 120 {
		c := conditional(r)
		answer, err := s.CAS(t.Context(), c, store.CAS{Serial: driver.Serial, Consistency: driver.LocalQuorum})
		require.NoError(t, err, "seed %d: %s", seed, c.CQL)
		if answer.Applied {
			applied++
		}
		_, err = s.Row(t.Context(), &store.Lookup{Read: store.Read{Table: savedTable, Key: c.Row[:1], Consistency: driver.Serial}})
		require.NoError(t, err)
		require.Empty(t, pair.report.Differences, "seed %d: %s %x", seed, c.CQL, c.Args())
	}
	require.Positive(t, applied)
	require.Less(t, applied, 120)
}
