package simulation

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/shelf"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// TestRecordSchedules runs clients that save roots whose references have no rows in the reverse tables, because they were not checked before, and one that
// records the references, with the faults of TestSchedules. After it has ended, each reference has its row, and a deletion of any target leaves no
// reference to nothing.
func TestRecordSchedules(t *testing.T) {
	simulate(t, 2, func(w *world) { (&recordWorld{standWorld{world: w}}).play() })
}

// recordWorld is a world in which references of stands are recorded. No target is deleted until that has ended.
type recordWorld struct{ standWorld }

func (w *recordWorld) play() {
	w.pages, w.applied, w.others = true, w.check, shelf.Roots
	w.truth = w.open(w.observer())
	w.begin()
	for range 1 + w.rng.IntN(3) {
		c := w.client()
		c.turns = 4
		s := w.open(c)
		w.start(c, func(x *invocation) { w.save(x, s) })
	}
	c := w.client()
	s := w.open(c)
	w.start(c, func(x *invocation) { x.op, x.err = "RecordReferences", w.record(context.Background(), s) })
	if w.run(); w.fault == "" {
		w.end()
	}
}

// begin writes targets, and stands whose references have no rows.
func (w *recordWorld) begin() {
	ctx := w.t.Context()
	for id := range int32(standIDs) {
		require.NoError(w.t, w.truth.Tags.Insert(ctx, &shelf.Tag{Name: city(id)}))
		require.NoError(w.t, w.truth.Owners.Insert(ctx, &shelf.Owner{ID: id, City: city(id)}))
	}
	for id := range int32(standIDs) {
		require.NoError(w.t, w.truth.Stands.Insert(ctx, w.stand(id)))
	}
	for _, r := range w.references() {
		w.apply([]plan.Mutation{r.DeleteRef(r.Key, r.version)}, store.Write{Timestamp: r.version, Consistency: driver.LocalQuorum})
	}
}

// heldReference is a reference of a stand at its version.
type heldReference struct {
	plan.Ref
	version plan.Version
}

// references returns the references of all stands.
func (w *recordWorld) references() (out []heldReference) {
	a := w.aggregate(w.table("stands"))
	for id := range int32(standIDs) {
		s := w.stateOf(a, idKey(id))
		refs, err := a.Refs(s)
		require.NoError(w.t, err)
		for _, r := range refs {
			out = append(out, heldReference{r, s.Version})
		}
	}
	return out
}

// save makes one call that saves a stand.
func (w *recordWorld) save(x *invocation, s *shelf.Store) {
	ctx, id := context.Background(), int32(w.rng.IntN(standIDs))
	x.id = id
	switch n := w.rng.IntN(10); {
	case n < 2:
		x.op, x.err = "Delete", s.Stands.Delete(ctx, id)
	case n < 4:
		x.op, x.err = "Insert", s.Stands.Insert(ctx, w.stand(id))
	default:
		x.op = "Update"
		_, x.err = s.Stands.Update(ctx, id, func(v *shelf.Stand, _ *shelf.StandParts) error {
			v.Owner, v.Tag = w.stand(id).Owner, w.stand(id).Tag
			return nil
		})
	}
}

// record records the references.
func (w *recordWorld) record(ctx context.Context, s *shelf.Store) error {
	return gen.RecordReferences(ctx, s.Stands.Versioned, gen.FillConfig{PageSize: 1 + w.rng.IntN(2)}, "", func(string) error { return nil })
}

// end records the references again if no client has ended that, and deletes the targets.
func (w *recordWorld) end() {
	ctx := w.t.Context()
	recorded := slices.ContainsFunc(w.clients, func(c *client) bool {
		return slices.ContainsFunc(c.calls, func(x *invocation) bool { return x.op == "RecordReferences" && x.ended && x.err == nil && !c.dead })
	})
	if w.land(); !recorded {
		if err := w.record(ctx, w.truth); err != nil {
			w.failf("record: %v", err)
		}
	}
	for _, r := range w.references() {
		row, err := store.First(w.db.Rows(ctx, store.Read{Table: r.Table, Key: r.Key}))
		if err != nil || row == nil {
			w.failf("%s is not recorded: %v", r.Table.Name+rowText(r.Key), err)
		}
	}
	w.now += maxSkew
	for id := range int32(standIDs) {
		if err := w.truth.Tags.Delete(ctx, city(id)); err != nil {
			w.failf("delete tag %d: %v", id, err)
		}
		if err := w.truth.Owners.Delete(ctx, id); err != nil {
			w.failf("delete owner %d: %v", id, err)
		}
	}
	if w.fault == "" {
		w.finish()
	}
}
