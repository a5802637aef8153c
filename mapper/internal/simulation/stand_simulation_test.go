package simulation

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/shelf"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// TestStandSchedules runs clients that save roots with parts and with checked references, of which one has a copy, and delete the targets, with the faults of
// TestSchedules. At no instant does a root refer to one that does not exist, or have another copy than that of its target, and no part is left of a root
// whose deletion has ended. At the end one run of Reconcile leaves the rows of reverse and redundant tables that follow from the roots.
func TestStandSchedules(t *testing.T) {
	simulate(t, 2, func(w *world) { (&standWorld{world: w}).play() })
}

// standWorld is a world in which clients change stands, and the tags and owners to which they refer.
type standWorld struct {
	*world
	truth *shelf.Store // without faults
}

// standIDs is the number of stands, of tags and of owners.
const standIDs = 2

func (w *standWorld) open(c *client) *shelf.Store {
	s, err := shelf.OpenBackend(w.t.Context(), c, c.config(0))
	require.NoError(w.t, err)
	return s
}

func (w *standWorld) play() {
	w.pages, w.applied, w.others = true, w.check, shelf.Roots
	w.truth = w.open(w.observer())
	for range 2 + w.rng.IntN(2) {
		c := w.client()
		c.turns = 5
		s := w.open(c)
		w.start(c, func(x *invocation) { w.call(x, s) })
	}
	if w.run(); w.fault == "" {
		w.finish()
	}
}

func city(id int32) string { return fmt.Sprint("c", id) }

// call makes one call of a client.
func (w *standWorld) call(x *invocation, s *shelf.Store) {
	ctx, id := context.Background(), int32(w.rng.IntN(standIDs))
	x.id = id
	switch n := w.rng.IntN(20); {
	case n < 2:
		x.op, x.err = "Tags.Insert", s.Tags.Insert(ctx, &shelf.Tag{Name: city(id)})
	case n < 4:
		x.op, x.err = "Tags.Delete", s.Tags.Delete(ctx, city(id))
	case n < 6:
		x.op, x.err = "Owners.Insert", s.Owners.Insert(ctx, &shelf.Owner{ID: id, City: city(id)})
	case n < 8:
		x.op, x.err = "Owners.Delete", s.Owners.Delete(ctx, id)
	case n < 12:
		x.op, x.err = "InsertWith", s.Stands.InsertWith(ctx, w.stand(id), w.slot(id, 0), w.slot(id, 1))
	case n < 17:
		x.op = "Update"
		_, x.err = s.Stands.Update(ctx, id, func(v *shelf.Stand, p *shelf.StandParts) error {
			v.Owner, v.Tag = w.stand(id).Owner, w.stand(id).Tag
			p.Slot.Put(w.slot(id, int32(w.rng.IntN(2))))
			return nil
		})
	case n < 19:
		x.op, x.err = "Delete", s.Stands.Delete(ctx, id)
	default:
		x.op = "Reconcile"
		_, x.err = s.Reconcile(ctx, w.reconcileAll(nil))
	}
}

// stand returns a stand with random references.
func (w *standWorld) stand(id int32) *shelf.Stand {
	v := &shelf.Stand{ID: id}
	if w.chance(60) {
		v.Owner = new(int32(w.rng.IntN(standIDs)))
	}
	if w.chance(60) {
		v.Tag = new(city(int32(w.rng.IntN(standIDs))))
	}
	return v
}

func (w *standWorld) slot(id, number int32) *shelf.Slot {
	return &shelf.Slot{StandID: id, Number: number, Text: city(int32(w.rng.IntN(2)))}
}

// reconcileAll returns the configuration of a run of Reconcile over the roots.
func (w *standWorld) reconcileAll(found func(mapper.Drift)) mapper.ReconcileConfig {
	c := w.reconcileConfig("", found)
	c.Tables = []string{"tags", "owners", "stands"}
	return c
}

// check checks a save that was applied, and all stands.
func (w *standWorld) check(_ *plan.Aggregate, before, after *plan.State) {
	if after != nil && after.Version <= before.CurrentVersion() {
		w.failf("the version went from %d to %d", before.CurrentVersion(), after.Version)
	}
	a := w.aggregate(w.table("stands"))
	for id := range int32(standIDs) {
		s := w.stateOf(a, idKey(id))
		refs, err := a.Refs(s)
		require.NoError(w.t, err)
		for _, r := range refs {
			if !w.stateOf(w.aggregate(w.table(r.Target)), r.TargetKey(r.Key)).Exists() {
				w.failf("stand %d refers by %s to %q, which does not exist", id, r.Field, r.TargetKey(r.Key))
			}
		}
		if row := (named{a.Root, rowOf(s)}); s.Exists() && string(row.cell("city")) != cityOf(row.cell("owner")) {
			w.failf("stand %d has the city %q of owner %q", id, row.cell("city"), row.cell("owner"))
		}
		if s != nil && s.Deleted && a.PartsSince(s) == 0 && len(w.slots(a, id)) > 0 {
			w.failf("slots are left of stand %d, which is deleted", id)
		}
	}
}

// rowOf returns the row of a state; nil for none.
func rowOf(s *plan.State) cell.Row {
	if s == nil {
		return nil
	}
	return s.Row
}

// cityOf returns the city of an owner in a row; "" without one.
func cityOf(owner cell.Cell) string {
	if owner == nil {
		return ""
	}
	return city(int32(binary.BigEndian.Uint32(owner)))
}

// slots returns the slots of a stand in its table.
func (w *standWorld) slots(a *plan.Aggregate, id int32) (out []cell.Row) {
	part := a.Versioning.Part.Table
	for row, err := range w.db.Rows(w.t.Context(), store.Read{Table: part, Key: idKey(id)}) {
		require.NoError(w.t, err)
		if row[part.Key-1] != nil && !part.IsHead(row) {
			out = append(out, plan.CloneRow(row))
		}
	}
	return out
}

// finish ends all deletions, and compares the tables.
func (w *standWorld) finish() {
	w.land()
	w.now += 2*maxSkew + mapper.DefaultLease.Microseconds() + int64(w.rng.IntN(1_000_000))
	for run := range 2 {
		report, err := w.truth.Reconcile(w.t.Context(), w.reconcileAll(func(d mapper.Drift) {
			if w.logf("found %+v", d); run > 0 {
				w.failf("the second run of Reconcile has found %+v", d)
			}
		}))
		w.checkRun(run, report, err)
		w.now += 2 * time.Second.Microseconds()
	}
	a := w.aggregate(w.table("stands"))
	var want, got []string
	copies := projections{}
	for id := range int32(standIDs) {
		refs, err := a.Refs(w.stateOf(a, idKey(id)))
		require.NoError(w.t, err)
		for _, r := range refs {
			want = append(want, r.Table.Name+rowText(r.Key))
		}
		for v, err := range w.truth.Slot.Of(id).All(w.t.Context()) {
			require.NoError(w.t, err)
			number := binary.BigEndian.AppendUint32(nil, uint32(v.Number))
			copies["slots_by_text"] = append(copies["slots_by_text"], rowText(cell.Row{cell.Cell(v.Text), idKey(id)[0], number}))
		}
	}
	for i := range a.Versioning.References {
		t := a.Versioning.References[i].Table
		for row, err := range w.db.Rows(w.t.Context(), store.Read{Table: t}) {
			require.NoError(w.t, err)
			got = append(got, t.Name+rowText(row[:t.Key]))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		w.failf("the reverse tables have %v, not %v", got, want)
	}
	w.compare(copies, "slots_by_text")
}
