package simulation

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/depot"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// TestCrateSchedules runs clients of a versioned root with a unique value in each element and in each alternative of a group, with the faults
// of TestSchedules, and clients that read by these values or reconcile the tables. In every schedule, saves are linearizable and a value has
// one owner. A read by a value returns a root that had it during the read. At the end one run of Reconcile, or Reconcile of each root with the
// values that clients have given to it, leaves the copies and reservations that follow from the roots.
func TestCrateSchedules(t *testing.T) {
	simulate(t, 6, func(w *world) {
		newCrateWorld(w).play()
	})
}

// crateWorld is a world in which clients change crates.
type crateWorld struct {
	*rootWorld
	given map[int32][]*depot.Crate // the values that clients have tried to write
}

func newCrateWorld(w *world) *crateWorld {
	c := &crateWorld{&rootWorld{world: w, table: "crates", ids: 2, values: crateValues, lookups: map[*lookup]bool{}}, map[int32][]*depot.Crate{}}
	w.applied = c.checkSave
	return c
}

// crateValues returns the unique values of a crate.
func crateValues(r named) (out []string) {
	for _, e := range r.elements("items") {
		serial, _ := fieldsOfItem(e)
		out = append(out, fmt.Sprintf("serial %s", serial))
	}
	for _, column := range []string{"tag", "code"} {
		if v := r.cell(column); v != nil {
			out = append(out, fmt.Sprintf("%s %s", column, v))
		}
	}
	return out
}

// fieldsOfItem returns the fields of an item, which has no null.
func fieldsOfItem(c cell.Cell) (serial, kind cell.Cell) {
	n := 4 + binary.BigEndian.Uint32(c)
	return c[4:n], c[n+4:]
}

func (w *crateWorld) open(c *client) *depot.Store {
	s, err := depot.OpenBackend(w.t.Context(), c, c.config([]int{200, 400, 50 << 10}[w.rng.IntN(3)]))
	require.NoError(w.t, err)
	return s
}

func (w *crateWorld) play() {
	for range 2 + w.rng.IntN(3) {
		c := w.client()
		s := w.open(c)
		writer := &rootClient[depot.Crate]{client: c, w: w.rootWorld, table: s.Crates, known: map[int32]*depot.Crate{}}
		writer.fresh = func(id int32) depot.Crate { return depot.Crate{ID: id} }
		writer.version = func(v *depot.Crate) int64 { return v.Version }
		writer.change = func(x *invocation, v *depot.Crate) { w.change(c, x, v) }
		w.start(c, func(x *invocation) {
			switch n := c.rng.IntN(20); {
			case n < 14:
				writer.call(x)
			case n < 18:
				w.lookUp(c, s, x)
			default:
				w.reconcile(s, x)
			}
		})
	}
	if w.run(); w.fault == "" {
		w.finish()
	}
}

// change changes random values of a crate. No crate gets two items with the same serial number.
func (w *crateWorld) change(c *client, x *invocation, v *depot.Crate) {
	v.Name += "+" + x.label
	if c.chance(60) {
		v.Items = nil
		for n := range 3 {
			if c.chance(40) {
				v.Items = append(v.Items, depot.Item{Serial: fmt.Sprint("s", n), Kind: fmt.Sprint("k", c.rng.IntN(2))})
			}
		}
		c.rng.Shuffle(len(v.Items), func(i, j int) { v.Items[i], v.Items[j] = v.Items[j], v.Items[i] })
	}
	if c.chance(60) {
		v.Tag, v.Code = c.pick("t"), nil
	}
	if c.chance(40) {
		v.Tag, v.Code = nil, new(int64(c.rng.IntN(2)))
	}
	given := *v
	w.given[v.ID] = append(w.given[v.ID], &given)
}

// lookUp reads a crate by one of its unique values.
func (w *crateWorld) lookUp(c *client, s *depot.Store, x *invocation) {
	table, ctx := s.With(mapper.Options{Serial: c.chance(50)}).Crates, context.Background()
	x.op = "GetBy"
	found := func(v *depot.Crate, err error) (int32, error) {
		if err != nil {
			return noOwner, err
		}
		return v.ID, nil
	}
	switch n := c.rng.IntN(3); n {
	case 0:
		w.find(x, "serial s0", func() (int32, error) { return found(table.GetByItemsSerial(ctx, "s0")) })
	case 1:
		w.find(x, "tag t1", func() (int32, error) { return found(table.GetByTag(ctx, "t1")) })
	default:
		w.find(x, "code "+string(plan.Bigint(1)), func() (int32, error) { return found(table.GetByCode(ctx, 1)) })
	}
}

// reconcile compares all crates, or one of them, with their copies and reservations.
func (w *crateWorld) reconcile(s *depot.Store, x *invocation) {
	if x.op = "Reconcile"; w.chance(50) {
		_, x.err = s.Reconcile(context.Background(), w.reconcileConfig("crates", nil))
		return
	}
	x.id = int32(w.rng.IntN(w.ids))
	_, x.err = s.Crates.Reconcile(context.Background(), x.id, mapper.ReconcileConfig{}, w.given[x.id]...)
}

func (w *crateWorld) finish() {
	w.checkResults()
	w.land()
	w.now += 2*maxSkew + int64(w.rng.IntN(1_000_000))
	s := w.open(w.observer())
	if w.chance(50) {
		for id := range int32(w.ids) {
			if _, err := s.Crates.Reconcile(w.t.Context(), id, mapper.ReconcileConfig{}, w.given[id]...); err != nil {
				w.failf("reconcile %d: %v", id, err)
			}
		}
	} else if report, err := s.Reconcile(w.t.Context(), w.reconcileConfig("crates", nil)); err != nil || !report.Clean() {
		w.failf("reconcile: %+v, %v", report, err)
	}
	w.checkTables()
}

// checkTables compares the copies and reservations with those that follow from the roots.
func (w *crateWorld) checkTables() {
	want := projections{}
	var reservations []string
	for _, r := range w.rows("crates") {
		reserve := func(unique string, v cell.Cell) {
			reservations = append(reservations, "crates__"+unique+"_unique"+rowText(cell.Row{v, r.cell("id")}))
		}
		for _, e := range r.elements("items") {
			serial, kind := fieldsOfItem(e)
			want["crate_of_item"] = append(want["crate_of_item"], rowText(append(cell.Row{serial, kind}, r.cells("id", "name")...)))
			reserve("items_serial", serial)
		}
		want.one("crates_by_code", r, r.cell("code") != nil, "code", "id", "name")
		for _, column := range []string{"tag", "code"} {
			if v := r.cell(column); v != nil {
				reserve(column, v)
			}
		}
	}
	w.compare(want, "crate_of_item", "crates_by_code")
	slices.Sort(reservations)
	if got := w.reservations(); !slices.Equal(got, reservations) {
		w.failf("the reservations are %v, not %v", got, reservations)
	}
}

// TestOvertakenSchedules runs clients of a versioned root without copies. A client whose request had no answer repeats it after others have
// saved the row about as often as a row remembers saves, and more often. The rest is as in TestSchedules.
func TestOvertakenSchedules(t *testing.T) {
	for _, name := range []string{"walk", "overtaken"} {
		if *by != "" && *by != name {
			continue
		}
		simulateBy(t, max(1, *schedules/10), playLockers, name, func(w *world) strategy {
			if name == "walk" {
				return nil
			}
			return &overtaken{rng: rand.New(rand.NewPCG(w.seed, 1)), saves: func() int { return len(w.saves) }, until: map[*client]int{}}
		})
	}
}

// overtaken chooses the next step at random, but a client without an answer waits until other saves have been sent.
type overtaken struct {
	rng   *rand.Rand
	saves func() int
	until map[*client]int // the number of saves after which a client may continue
}

func (s *overtaken) step(w *world, waiting []*client) {
	if len(w.late) > 0 && s.rng.IntN(100) < 15 {
		w.carryOut(w.rng.IntN(len(w.late)))
		return
	}
	free := slices.DeleteFunc(slices.Clone(waiting), s.waits)
	if len(free) == 0 {
		free = waiting
	}
	w.turn(free[s.rng.IntN(len(free))])
}

// waits reports whether a client must wait.
func (s *overtaken) waits(c *client) bool {
	if !c.noAnswer {
		delete(s.until, c)
		return false
	}
	if s.until[c] == 0 {
		s.until[c] = s.saves() + 12 + s.rng.IntN(14)
	}
	return s.saves() < s.until[c]
}

// playLockers runs clients that change one locker, or two. One of them often gets no answer; the others save often.
func playLockers(w *world) {
	l := &rootWorld{world: w, table: "lockers", ids: 1 + w.rng.IntN(5)/4, lookups: map[*lookup]bool{}}
	l.values = func(r named) (out []string) {
		if v := r.cell("holder"); v != nil {
			out = append(out, string(v))
		}
		return out
	}
	w.applied, w.others = l.checkSave, []*descriptor.Aggregate{depot.Lockers.Aggregate}
	busy := [][]string{{"Insert", "Update", "Update"}, {"Put", "Update"}, nil}[w.rng.IntN(3)]
	for i := range 3 {
		c := w.client()
		if c.turns, c.unheard = 25, 0; i == 0 {
			c.turns, c.unheard = 4, 40
		}
		s, err := depot.OpenBackend(w.t.Context(), c, c.config(0))
		require.NoError(w.t, err)
		writer := &rootClient[depot.Locker]{client: c, w: l, table: s.Lockers, known: map[int32]*depot.Locker{}}
		writer.fresh = func(id int32) depot.Locker { return depot.Locker{ID: id} }
		writer.version = func(v *depot.Locker) int64 { return v.Version }
		writer.change = func(x *invocation, v *depot.Locker) {
			if v.Name += "+" + x.label; c.chance(20) {
				v.Holder = c.pick("h")
			}
		}
		if i > 0 {
			writer.ops = busy
		}
		w.start(c, writer.call)
	}
	if w.run(); w.fault != "" {
		return
	}
	l.checkResults()
	w.land()
	reconcileLockers(l)
}

// reconcileLockers compares the reservations with the lockers after a run of Reconcile.
func reconcileLockers(l *rootWorld) {
	l.now += 2*maxSkew + int64(l.rng.IntN(1_000_000))
	c := l.observer()
	s, err := depot.OpenBackend(l.t.Context(), c, c.config(0))
	require.NoError(l.t, err)
	if report, err := s.Reconcile(l.t.Context(), l.reconcileConfig("lockers", nil)); err != nil || !report.Clean() {
		l.failf("reconcile: %+v, %v", report, err)
	}
	var want []string
	for _, r := range l.rows("lockers") {
		if v := r.cell("holder"); v != nil {
			want = append(want, "lockers__holder_unique"+rowText(cell.Row{v, r.cell("id")}))
		}
	}
	slices.Sort(want)
	if got := l.reservations(); !slices.Equal(got, want) {
		l.failf("the reservations are %v, not %v", got, want)
	}
}
