package simulation

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/reconcile"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// An orphan that was written later than the version of its root, or the floor of its reservation, is deleted after these have been raised above
// its write time, which may be ahead of the clock by the largest accepted difference. An orphan that is further ahead is reported with
// its time. A later save writes the row again.
func TestReconcileOrphansLaterThanTheirRoots(t *testing.T) {
	byCity := func(d *drifted, at time.Time) {
		d.write((*plan.Table)(byCityTable), plan.Put, at, "Olinda", id1, "Ana")
	}
	vehicle := func(d *drifted, at time.Time) {
		d.write((*plan.Table)(vehiclesTable), plan.Put, at, "p9", id1, "Ana", "Recife")
	}
	byEmail := func(d *drifted, at time.Time) {
		floor := string(plan.Bigint(d.now.Add(-time.Hour).UnixMicro()))
		d.write((*plan.Table)(emailTable), plan.Put, d.now, "z", "", floor, floor)
		d.write((*plan.Table)(byEmailTable), plan.Put, at, "z", id1, "Ana")
	}
	bare := func(d *drifted, at time.Time) {
		m := plan.Mutation{Table: (*plan.Table)(byCityTable), Row: cell.Row{cell.Cell("Olinda"), cell.Cell(id1), nil}, Action: plan.Put}
		require.NoError(d.t, d.raw.Apply(d.t.Context(), []plan.Mutation{m}, store.Write{Timestamp: at.UnixMicro()}))
	}
	partly := func(d *drifted, at time.Time) { // a value that is older than the row
		d.write((*plan.Table)(byCityTable), plan.Put, time.Unix(1_600_000_000, 0), "Olinda", id1, "Ana")
		bare(d, at)
	}
	const olinda = "customers_by_city city='Olinda', id=1"
	for name, of := range map[string]struct {
		plant func(*drifted, time.Time)
		row   string
		table *plan.Table
		keeps bool // the version of the root
	}{
		"root's key":   {byCity, olinda, (*plan.Table)(byCityTable), false},
		"element":      {vehicle, "vehicles plate='p9', owner=1", (*plan.Table)(vehiclesTable), false},
		"unique value": {byEmail, "customers_by_email email='z'", (*plan.Table)(byEmailTable), true},
		"no values":    {bare, olinda, (*plan.Table)(byCityTable), false},
		"old values":   {partly, olinda, (*plan.Table)(byCityTable), false},
	} {
		for _, deleted := range []bool{false, true} {
			for _, ahead := range []time.Duration{-time.Minute, time.Second, 2 * time.Second, time.Hour} {
				t.Run(strings.ReplaceAll(name, " ", "-")+map[bool]string{true: "-deleted"}[deleted]+ahead.String(), func(t *testing.T) {
					d := newDrifted(t)
					require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Name: "Ana"}))
					if deleted {
						require.NoError(t, d.table.Delete(t.Context(), customerKey(1)))
					}
					d.now = d.now.Add(time.Hour)
					before := d.state(id1).Version
					of.plant(d, d.now.Add(ahead))
					limit := d.now.Add(time.Second).UnixMicro()
					reads := name != "no values" && name != "old values" // the write time of the row
					_, found := d.reconcile(mapper.ReconcileConfig{DryRun: true})
					kind := "orphan "
					if ahead > time.Second && reads {
						kind = "clock ahead "
					}
					require.Equal(t, []string{kind + of.row}, found)
					report, found := d.reconcile(mapper.ReconcileConfig{})
					version := d.state(id1).Version
					require.LessOrEqual(t, version, max(before, limit+2))
					switch {
					case ahead > time.Second:
						require.False(t, report.Clean())
						require.Equal(t, 1, d.rows(of.table))
						if reads {
							require.Equal(t, []string{"clock ahead " + of.row}, found)
							require.Contains(t, d.found[len(d.found)-1].Reason, d.now.Add(ahead).UTC().Format(time.RFC3339))
							require.Equal(t, before, version)
						} else {
							require.Equal(t, []string{"hidden " + of.row}, found)
						}
						d.now = d.now.Add(2 * ahead)
						report, _ = d.reconcile(mapper.ReconcileConfig{})
					default:
						require.Equal(t, []string{"orphan " + of.row + " repaired"}, found)
						require.Equal(t, of.keeps, version == before)
					}
					require.True(t, report.Clean())
					require.Zero(t, d.rows(of.table))
					_, found = d.reconcile(mapper.ReconcileConfig{})
					require.Empty(t, found, "the raised version is propagated")
					require.NoError(t, d.table.Put(t.Context(), &customer{ID: 1, Name: "Bia", City: "Olinda", Email: "z", Plates: map[string]struct{}{"p9": {}}}))
					require.Equal(t, 1, d.rows(of.table), "a later save writes the row")
					_, found = d.reconcile(mapper.ReconcileConfig{})
					require.Empty(t, found)
				})
			}
		}
	}
}

// A save between the read of a root and the raise of its version is not lost, and neither is the row that it writes: the raise is
// conditional.
func TestReconcileOrphanThatIsSavedMeanwhile(t *testing.T) {
	for at := 1; ; at++ {
		d := newDrifted(t)
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Name: "Ana", City: "Recife"}))
		d.now = d.now.Add(time.Hour)
		d.write((*plan.Table)(byCityTable), plan.Put, d.now, "Olinda", id1, "Ana")
		d.now = d.now.Add(time.Minute)
		saved := false
		d.read, d.before = 0, func(request int) {
			if request == at {
				saved = true
				_, err := d.table.Update(t.Context(), func(v any) error { v.(*customer).City = "Olinda"; return nil }, customerKey(1))
				require.NoError(t, err)
			}
		}
		_, err := reconcile.Run(t.Context(), d.db, mapper.ReconcileConfig{Parallel: 1, Slices: 2}, d.table.Root)
		require.NoError(t, err)
		if d.before = nil; !saved {
			return
		}
		_, found := d.reconcile(mapper.ReconcileConfig{})
		require.Empty(t, found, "saved before request %d", at)
		require.Equal(t, "Olinda", string(d.state(id1).Row[customerCity]), "saved before request %d", at)
		require.Equal(t, 1, d.rows((*plan.Table)(byCityTable)), "saved before request %d", at)
	}
}
