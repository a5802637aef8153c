package simulation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/reconcile"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// A Change writes no done-marker, and neither does a save of another row that raises the version. If the copies are right, that is no drift, and
// a run writes the done-marker. If a row that the Change has dropped is in its copy, it is drift.
func TestReconcileWithoutADoneMarker(t *testing.T) {
	ana := func() *customer {
		return &customer{ID: 1, Name: "Ana", City: "Recife", Email: "a", Plates: map[string]struct{}{"p1": {}}}
	}
	change := func(t *testing.T, d *drifted, to func(*customer)) {
		old, new := ana(), ana()
		old.Version = d.state(id1).Version
		to(new)
		require.NoError(t, d.table.Change(t.Context(), old, new))
	}
	moved := func(c *customer) { c.City, c.Email, c.Plates = "Olinda", "b", nil }
	clean := func(name string, prepare func(*testing.T, *drifted)) {
		t.Run(name, func(t *testing.T) {
			d := newDrifted(t)
			require.NoError(t, d.table.Insert(t.Context(), ana()))
			d.now = d.now.Add(time.Hour)
			prepare(t, d)
			d.now = d.now.Add(time.Hour)
			report, found := d.reconcile(mapper.ReconcileConfig{DryRun: true})
			require.Empty(t, found)
			require.True(t, report.Clean())
			run := func() int {
				d.wrote = 0
				report, err := reconcile.Run(t.Context(), d.db, mapper.ReconcileConfig{}, d.table.Root)
				require.NoError(t, err)
				require.Zero(t, report.Total())
				require.True(t, report.Clean())
				return d.wrote
			}
			require.NotZero(t, run(), "the done-marker")
			require.Zero(t, run())
			row, err := d.raw.Row(t.Context(), &store.Lookup{Read: store.Read{Table: (*plan.Table)(doneTable), Key: cell.Row{cell.Cell(id1)}}})
			require.NoError(t, err)
			require.Equal(t, plan.Bigint(d.state(id1).Version), row[1])
		})
	}
	clean("change", func(t *testing.T, d *drifted) { change(t, d, func(c *customer) { c.Name = "Eva" }) })
	clean("change that drops rows", func(t *testing.T, d *drifted) { change(t, d, moved) })
	clean("a dropped row of another root", func(t *testing.T, d *drifted) {
		change(t, d, moved)
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 2, Email: "a"}))
	})
	clean("fence", func(t *testing.T, d *drifted) {
		d.reserve("taken", id1, d.state(id1).Version) // by a client that has died
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 2, Email: "taken"}))
	})

	t.Run("a dropped row that remains", func(t *testing.T) {
		d := newDrifted(t)
		require.NoError(t, d.table.Insert(t.Context(), ana()))
		d.now = d.now.Add(time.Hour)
		change(t, d, moved)
		d.write((*plan.Table)(vehiclesTable), plan.Put, d.now.Add(time.Millisecond), "p1", id1, "Ana", "Recife")
		d.now = d.now.Add(time.Hour)
		_, found := d.reconcile(mapper.ReconcileConfig{DryRun: true})
		require.Equal(t, []string{"orphan vehicles plate='p1', owner=1", "unpropagated customers__sync id=1"}, found)
		report, _ := d.reconcile(mapper.ReconcileConfig{})
		require.True(t, report.Clean())
		require.Zero(t, d.rows((*plan.Table)(vehiclesTable)))
		_, found = d.reconcile(mapper.ReconcileConfig{})
		require.Empty(t, found)
	})
	t.Run("one row", func(t *testing.T) {
		d := newDrifted(t)
		require.NoError(t, d.table.Insert(t.Context(), ana()))
		d.now = d.now.Add(time.Hour)
		change(t, d, moved)
		for _, dry := range []bool{true, false} {
			report, err := reconcile.Row(t.Context(), d.table.Root, customerKey(1), mapper.ReconcileConfig{DryRun: dry}, nil)
			require.NoError(t, err)
			require.Zero(t, report.Total())
			require.True(t, report.Clean())
		}
	})
}
