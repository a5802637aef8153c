package reconcile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// A page of which a part was read before the read failed counts once: two roots that have the same row differ from the row.
func TestReconcileCountsPagesOnce(t *testing.T) {
	table := &descriptor.Table{Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "id", Type: "text"}}}
	a := plan.Link(descriptor.Aggregate{Root: table, Copies: []descriptor.Projection{{Table: table, Columns: []uint16{0}}}})
	row := cell.Row{cell.Cell("a")}
	for owners, want := range map[int]bool{0: true, 1: false, 2: true} {
		s := &sums{copy: &a.Copies[0], hasher: new(plan.Schema).NewHasher(a.Copies[0].Table, nil)}
		for range owners {
			require.NoError(t, s.add(a, row))
		}
		page := &sumScan{x: &run{}, sums: s}
		page.Begin()
		page.Add(row)
		page.Begin()
		page.Add(row)
		require.NoError(t, page.End(t.Context()))
		require.Equal(t, want, s.differ(), owners)
		require.Equal(t, want, s.suspects(row), owners)
		require.Equal(t, want, s.showsDifference(a, row), owners)
		s.release()
		require.False(t, s.suspects(row))
	}
}
