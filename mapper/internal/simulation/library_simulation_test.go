package simulation

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/library"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// TestReferenceSchedules runs clients that save papers with checked references, and delete the authors and series to which they refer, with the
// faults of TestSchedules. At no instant does a row refer to one that does not exist, unless both are being deleted because they refer to each
// other; and at no instant is a row being deleted that the outboxes do not list. Versions grow, and results agree with what was applied. At the end
// FanOut or one run of Reconcile ends all deletions, and one run of Reconcile leaves the rows of the reverse tables that follow from the roots; the
// next run finds nothing.
func TestReferenceSchedules(t *testing.T) {
	simulate(t, 2, playLibrary)
}

// libraryWorld is a world in which clients change roots that refer to each other.
type libraryWorld struct {
	*world
	roots map[string]*rootWorld // by table
}

const libraryIDs = 2

func playLibrary(w *world) {
	l := &libraryWorld{w, map[string]*rootWorld{}}
	for _, table := range []string{"authors", "series", "papers"} {
		l.roots[table] = &rootWorld{world: w, table: table, ids: libraryIDs, values: func(named) []string { return nil }, lookups: map[*lookup]bool{}}
	}
	w.applied, w.others = l.checkSave, library.Roots
	w.pages = true
	w.replicate()
	for range 2 + w.rng.IntN(2) {
		c := w.client()
		c.turns = 5
		l.start(c)
	}
	if w.run(); w.fault == "" {
		l.finish()
	}
}

func (w *libraryWorld) open(c *client) *library.Store {
	config := c.config(0)
	config.FanOutInline = []int{-1, 1, 100}[w.rng.IntN(3)]
	s, err := library.OpenBackend(w.t.Context(), c, config)
	require.NoError(w.t, err)
	return s
}

// start starts a client that changes roots of all tables, or reconciles them.
func (w *libraryWorld) start(c *client) {
	s := w.open(c)
	authors := &rootClient[library.Author]{client: c, w: w.roots["authors"], table: s.Authors, known: map[int32]*library.Author{}}
	authors.fresh = func(id int32) library.Author { return library.Author{ID: id} }
	authors.version = func(v *library.Author) int64 { return v.Version }
	authors.change = func(x *invocation, v *library.Author) {
		v.Name += "+" + x.label
		v.Mentor, v.Favorite = w.reference(20), w.reference(20)
	}
	series := &rootClient[library.Series]{client: c, w: w.roots["series"], table: s.Series, known: map[int32]*library.Series{}}
	series.fresh = func(id int32) library.Series { return library.Series{ID: id} }
	series.version = func(v *library.Series) int64 { return v.Version }
	series.change = func(x *invocation, v *library.Series) {
		v.Name += "+" + x.label
		v.Parent, v.Owner = w.reference(30), w.reference(30)
	}
	papers := &rootClient[library.Paper]{client: c, w: w.roots["papers"], table: s.Papers, known: map[int32]*library.Paper{}}
	papers.fresh = func(id int32) library.Paper { return library.Paper{ID: id} }
	papers.version = func(v *library.Paper) int64 { return v.Version }
	papers.change = func(x *invocation, v *library.Paper) {
		v.Name += "+" + x.label
		v.Author, v.Editor, v.Series, v.Readers = w.reference(30), w.reference(30), w.reference(30), nil
		for id := range int32(libraryIDs) {
			if c.chance(20) {
				v.Readers = append(v.Readers, id)
			}
		}
	}
	insert := []string{"Insert", "Insert", "Put", "Upsert", "Delete", "Delete", "DeleteAt", "Update"}
	authors.ops, series.ops = insert, insert
	w.world.start(c, func(x *invocation) {
		switch n := c.rng.IntN(20); {
		case n < 6:
			authors.call(x)
		case n < 11:
			series.call(x)
		case n < 18:
			papers.call(x)
		case n < 19:
			x.op = "FanOut"
			x.err = s.FanOut(context.Background(), mapper.FanOutConfig{})
		default:
			x.op = "Reconcile"
			_, x.err = s.Reconcile(context.Background(), w.reconcileAll(nil))
		}
	})
}

// reconcileAll returns the configuration of a run of Reconcile over all roots.
func (w *libraryWorld) reconcileAll(found func(mapper.Drift)) mapper.ReconcileConfig {
	c := w.reconcileConfig("", found)
	c.Tables = nil
	return c
}

// reference returns the key of a target in a number of 100 cases, and otherwise nil.
func (w *libraryWorld) reference(percent int) *int32 {
	if !w.chance(percent) {
		return nil
	}
	return new(int32(w.rng.IntN(libraryIDs)))
}

// checkSave checks a save that was applied, and that all references of all rows have targets.
func (w *libraryWorld) checkSave(a *plan.Aggregate, before, after *plan.State) {
	r := w.roots[a.Root.Name]
	switch {
	case after == nil || after.Version <= before.CurrentVersion() || len(after.Attempts) == 0 || before != nil && slices.Equal(before.Attempts, after.Attempts):
		r.checkSave(a, before, after) // a purge, or a save that only raises the version
	default:
		if r.live == nil {
			r.live = map[int64]bool{}
		}
		r.live[after.Version] = after.Exists()
		x := w.saves[lastAttempt(after)]
		if x != nil && x.root == a.Root.Name && plan.SameKey(idKey(x.id), after.Row, 1) && isOwn(a, x, before, after) {
			r.checkCall(a, x, before, after)
		}
	}
	w.checkReferences()
	w.checkListed()
}

// checkListed checks that the outboxes list each root that is being deleted, if others are deleted or cleared with it.
func (w *libraryWorld) checkListed() {
	for _, table := range []string{"authors", "series"} {
		a := w.aggregate(w.table(table))
		for id := range int32(libraryIDs) {
			if s := w.stateOf(a, idKey(id)); s.Exists() && s.Deleting && w.listed(a, s) == 0 {
				w.failf("%s %d is being deleted, and the outboxes do not list it", table, id)
			}
		}
	}
}

// isOwn reports whether a call has sent a save for its own sake, and not because it carries on a deletion that another has begun.
func isOwn(a *plan.Aggregate, x *invocation, before, after *plan.State) bool {
	name := func(s *plan.State) string { return string(named{a.Root, s.Row}.cell("name")) }
	switch {
	case after.Deleted:
		return (x.op == "Delete" || x.op == "DeleteAt") && !before.Deleting
	case before.Exists():
		return name(after) != name(before)
	}
	return true
}

// checkReferences checks that the targets of all references exist.
func (w *libraryWorld) checkReferences() {
	for table := range w.roots {
		a := w.aggregate(w.table(table))
		for id := range int32(libraryIDs) {
			s := w.stateOf(a, idKey(id))
			refs, err := a.Refs(s)
			require.NoError(w.t, err)
			for _, ref := range refs {
				if !w.stateOf(w.aggregate(w.table(ref.Target)), ref.TargetKey(ref.Key)).Exists() && !(s.Deleting && ref.OnDelete == descriptor.Cascade) {
					w.failf("%s %d refers by %s to %v, which does not exist", table, id, ref.Field, ref.TargetKey(ref.Key))
				}
			}
		}
	}
}

// finish ends all deletions, and compares the tables.
func (w *libraryWorld) finish() {
	w.checkResults()
	w.land()
	w.now += 2*w.skew + mapper.DefaultLease.Microseconds() + int64(w.rng.IntN(1_000_000))
	s := w.open(w.observer())
	if w.chance(50) {
		if err := s.FanOut(w.t.Context(), mapper.FanOutConfig{}); err != nil {
			w.failf("fan-out: %v", err)
		}
		w.checkUnmarked()
		w.now += mapper.DefaultLease.Microseconds() // it has written rows of reverse tables
	}
	for run := range 2 {
		report, err := s.Reconcile(w.t.Context(), w.reconcileAll(func(d mapper.Drift) {
			if w.logf("found %+v", d); run > 0 {
				w.failf("the second run of Reconcile has found %+v", d)
			}
		}))
		w.checkRun(run, report, err)
		w.now += 2 * time.Second.Microseconds()
	}
	w.checkUnmarked()
	w.checkReverseTables()
	copies := projections{}
	for _, r := range w.rows("papers") {
		copies.one("papers_of_series", r, r.cell("series") != nil, "series", "id", "name")
	}
	w.compare(copies, "papers_of_series")
}

// checkUnmarked checks that no deletion is left, and that the outboxes list none.
func (w *libraryWorld) checkUnmarked() {
	for _, table := range []string{"authors", "series"} {
		for id := range int32(libraryIDs) {
			if s := w.stateOf(w.aggregate(w.table(table)), idKey(id)); s.Exists() && s.Deleting {
				w.failf("%s %d is still being deleted", table, id)
			}
		}
	}
	if rows := w.rows("aml_outboxes"); len(rows) > 0 {
		w.failf("the outboxes have %d rows", len(rows))
	}
}

// checkResults compares the results of the calls with the saves that were applied.
func (w *libraryWorld) checkResults() {
	for _, c := range w.clients {
		for _, x := range c.calls {
			held := new(*mapper.HeldError)
			switch {
			case !x.ended || errors.Is(x.err, errDead) || !x.saves:
			case x.applied > 1:
				w.failf("%s was applied %d times", x.label, x.applied)
			case x.err == nil && x.applied == 0 && x.op != "Delete" && x.op != "DeleteAt" && !x.found:
				w.failf("%s succeeded and was not applied", x.label)
			case x.err != nil && x.applied > 0 && !mapper.OutcomeUnknown(x.err):
				w.failf("%s was applied and failed: %v", x.label, x.err)
			case errors.As(x.err, held) && x.applied > 0:
				w.failf("%s was applied and is held", x.label)
			}
		}
	}
}

// checkReverseTables compares the reverse tables with those that follow from the roots, none of which is being deleted.
func (w *libraryWorld) checkReverseTables() {
	var want, got []string
	for table := range w.roots {
		a := w.aggregate(w.table(table))
		for id := range int32(libraryIDs) {
			s := w.stateOf(a, idKey(id))
			if s.Exists() && s.Deleting {
				w.failf("%s %d is being deleted", table, id)
			}
			refs, err := a.Refs(s)
			require.NoError(w.t, err)
			for _, ref := range refs {
				want = append(want, ref.Table.Name+rowText(ref.Key))
			}
		}
		for i := range a.Versioning.References {
			t := a.Versioning.References[i].Table
			for row, err := range w.db.Rows(w.t.Context(), store.Read{Table: t}) {
				require.NoError(w.t, err)
				got = append(got, t.Name+rowText(row[:t.Key]))
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		w.failf("the reverse tables have %v, not %v", got, want)
	}
}
