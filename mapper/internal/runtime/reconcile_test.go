package runtime_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/runtime"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// drifted is a store whose tables the tests write directly.
type drifted struct {
	t     *testing.T
	now   time.Time
	raw   store.Store
	db    *runtime.DB
	table runtime.Versioned
	found []mapper.Drift
}

func newDrifted(t *testing.T) *drifted {
	d := &drifted{t: t, now: time.Unix(1_700_000_000, 0)}
	backend := memory.New(memory.Config{Now: func() time.Time { return d.now }})
	var err error
	d.raw, err = backend.Open(t.Context(), customersSchema)
	require.NoError(t, err)
	d.db, err = runtime.OpenOn(t.Context(), backend, customersSchema, mapper.Config{Logger: discardLogger})
	require.NoError(t, err)
	d.table = customers(d.db)
	return d
}

// write writes a row of a table at a time, or deletes it.
func (d *drifted) write(table *plan.Table, action plan.Action, at time.Time, row ...string) {
	m := plan.Mutation{Table: table, Action: action}
	for i, c := range row {
		m.Row = append(m.Row, cell.Cell(c))
		if i >= table.Key {
			m.Write.Add(i)
		}
	}
	require.NoError(d.t, d.raw.Apply(d.t.Context(), []plan.Mutation{m}, store.Write{Timestamp: at.UnixMicro()}))
}

// reconcile runs Reconcile, and returns the findings as text, sorted.
func (d *drifted) reconcile(c mapper.ReconcileConfig) (*mapper.ReconcileReport, []string) {
	var found []string
	c.Slices = 4
	c.Found = func(x mapper.Drift) {
		d.found = append(d.found, x)
		text := x.Kind.String() + " " + x.Table + " " + x.Key
		if x.Repaired {
			text += " repaired"
		}
		found = append(found, text)
	}
	report, err := runtime.Reconcile(d.t.Context(), d.db, c, d.table.Root)
	require.NoError(d.t, err)
	slices.Sort(found)
	return report, found
}

const id1, id2 = "\x00\x00\x00\x01", "\x00\x00\x00\x02"

// Every kind of drift of a versioned root is found, repaired, and not found again.
func TestReconcileVersioned(t *testing.T) {
	d := newDrifted(t)
	for _, c := range []*customer{
		{ID: 1, Name: "Ana", City: "Recife", Email: "a", Plates: map[string]struct{}{"p1": {}, "p2": {}}},
		{ID: 2, Name: "Bia", City: "Natal", Email: "b"},
	} {
		require.NoError(t, d.table.Insert(t.Context(), c))
	}
	d.now = d.now.Add(time.Hour)
	report, found := d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
	require.True(t, report.Clean())

	d.write(vehiclesTable, plan.Delete, d.now, "p1", id1)                    // missing, hidden at the version
	d.write(byCityTable, plan.Put, d.now, "Recife", id1, "Eva")              // stale, newer than the version
	d.write(byCityTable, plan.Put, d.now.Add(-2*time.Hour), "Olinda", id1)   // an orphan
	d.write(byEmailTable, plan.Put, d.now.Add(-2*time.Hour), "c", id2, "Bia") // an orphan, whose value nobody has reserved
	d.write(doneTable, plan.Delete, d.now.Add(-30*time.Minute), id2)
	d.now = d.now.Add(time.Minute)
	want := []string{"missing vehicles plate='p1', owner=1", "orphan customers_by_city city='Olinda', id=1", "source purged customers_by_email email='c'",
		"stale customers_by_city city='Recife', id=1", "unpropagated customers__sync id=2"}
	report, found = d.reconcile(mapper.ReconcileConfig{DryRun: true})
	require.Equal(t, want, found)
	require.False(t, report.Clean())
	report, found = d.reconcile(mapper.ReconcileConfig{})
	require.False(t, report.Clean(), "a save that writes the row of c could still be carried out")
	for i := range want {
		if !strings.Contains(want[i], "source purged") {
			want[i] += " repaired"
		}
	}
	require.Equal(t, want, found)
	d.now = d.now.Add(10 * 24 * time.Hour)
	report, found = d.reconcile(mapper.ReconcileConfig{})
	require.Equal(t, []string{"source purged customers_by_email email='c' repaired"}, found)
	require.True(t, report.Clean())
	_, found = d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
}
