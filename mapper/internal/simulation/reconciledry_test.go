package simulation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/reconcile"
)

// A dry run counts each row that differs once, as the run that repairs it does: a row of one root that contains the key of another one is both
// stale for the first root and an orphan of the second. A dry run of one row reports it, too.
func TestADryRunCountsEachRowOnce(t *testing.T) {
	requireOne := func(d *drifted, dry, repaired string) {
		report, found := d.reconcile(mapper.ReconcileConfig{DryRun: true})
		require.Equal(d.t, []string{dry}, found)
		require.Zero(d.t, report.TooRecent)
		report, found = d.reconcile(mapper.ReconcileConfig{})
		require.Equal(d.t, []string{repaired + " repaired"}, found)
		require.True(d.t, report.Clean())
	}
	t.Run("distinct", func(t *testing.T) {
		d, root := newLooseDrifted(t)
		for id, email := range map[int32]string{1: "a", 2: "b"} {
			require.NoError(t, root.Insert(t.Context(), &customer{ID: id, Name: "Ana", Email: email}))
		}
		d.now = d.now.Add(time.Hour)
		d.write((*plan.Table)(byEmailTable), plan.Put, d.now.Add(-30*time.Minute), "a", id2, "Ana")
		one, err := reconcile.Row(t.Context(), root, customerKey(1), mapper.ReconcileConfig{DryRun: true}, nil)
		require.NoError(t, err)
		require.Equal(t, map[mapper.DriftKind]int64{mapper.DriftStale: 1}, one.Found["customers_by_email"])
		requireOne(d, "orphan customers_by_email email='a'", "stale customers_by_email email='a'")
	})
	t.Run("distinct, of no root", func(t *testing.T) {
		d, root := newLooseDrifted(t)
		require.NoError(t, root.Insert(t.Context(), &customer{ID: 1, Name: "Ana", Email: "a"}))
		d.now = d.now.Add(time.Hour)
		d.write((*plan.Table)(byEmailTable), plan.Put, d.now.Add(-30*time.Minute), "z", id2, "Ana")
		requireOne(d, "orphan customers_by_email email='z'", "orphan customers_by_email email='z'")
	})
	t.Run("distinct, written within the grace", func(t *testing.T) {
		d, root := newLooseDrifted(t)
		require.NoError(t, root.Insert(t.Context(), &customer{ID: 1, Name: "Ana", Email: "a"}))
		d.now = d.now.Add(time.Hour)
		d.write((*plan.Table)(byEmailTable), plan.Put, d.now.Add(-time.Minute), "a", id2, "Ana")
		report, found := d.reconcile(mapper.ReconcileConfig{DryRun: true})
		require.Empty(t, found)
		require.Equal(t, int64(1), report.TooRecent)
	})
	t.Run("unique value", func(t *testing.T) {
		d := newDrifted(t)
		for id, email := range map[int32]string{1: "a", 2: "b"} {
			require.NoError(t, d.table.Insert(t.Context(), &customer{ID: id, Name: "Ana", Email: email}))
		}
		d.now = d.now.Add(time.Hour)
		d.write((*plan.Table)(byEmailTable), plan.Put, d.now, "a", id2, "Ana")
		d.now = d.now.Add(time.Minute)
		requireOne(d, "stale customers_by_email email='a'", "stale customers_by_email email='a'")
	})
}
