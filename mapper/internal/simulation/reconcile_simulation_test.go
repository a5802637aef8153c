package simulation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// reconcileGrace is the grace of the simulated runs.
const reconcileGrace = mapper.DefaultGrace

// pass lets so much time pass that a run compares every earlier write, whatever the clocks show.
func (w *world) pass() {
	w.land()
	w.now += reconcileGrace.Microseconds() + 2*maxSkew + int64(w.rng.IntN(10_000_000))
}

// reconciler is a client that compares a root with its copies, as part of a schedule.
func (w *world) reconciler(open func(*client) *garage.Store, root string) {
	c := w.client()
	s := open(c)
	w.start(c, func(x *invocation) {
		x.op = "Reconcile"
		_, x.err = s.Reconcile(context.Background(), w.reconcileConfig(root, nil))
	})
}

func (w *world) reconcileConfig(root string, found func(mapper.Drift)) mapper.ReconcileConfig {
	return mapper.ReconcileConfig{Tables: []string{root}, Slices: 1 + w.rng.IntN(2), Found: found}
}

// reconcile compares a root with its copies, without faults, and returns the findings.
func (w *world) reconcile(open func(*client) *garage.Store, root string) (report *mapper.ReconcileReport, found []mapper.Drift, writes int) {
	c := w.observer()
	c.skew = int64(w.rng.IntN(2*maxSkew)) - maxSkew
	report, err := open(c).Reconcile(w.t.Context(), w.reconcileConfig(root, func(d mapper.Drift) {
		w.logf("found %+v", d)
		found = append(found, d)
	}))
	if err != nil {
		w.failf("reconcile: %v", err)
	}
	return report, found, c.writes
}

// TestReconcileSchedules runs clients of a plain root that overlap, with requests that are lost, late or of unknown outcome, and
// clients that die. After some time, other clients write while two programs reconcile the tables, and may die too. A run
// that begins after the grace leaves no difference, and the next one writes nothing.
func TestReconcileSchedules(t *testing.T) {
	simulate(t, 5, func(w *world) {
		m := &overlappingWorld{world: w}
		m.play(0)
		for range 1 + w.rng.IntN(2) {
			w.pass()
			m.play(w.rng.IntN(3))
		}
		if w.fault == "" {
			m.finish()
		}
	})
}

// TestReconcileBesideOneWriter runs clients of which each changes rows of its own and repeats a request until its outcome is known, while
// two programs reconcile the tables. No two writes of a row overlap, so the copies are right although no run follows: what
// the runs have written while requests were in flight, with clocks up to 3 s apart, has hidden nothing.
func TestReconcileBesideOneWriter(t *testing.T) {
	simulate(t, 5, func(w *world) {
		m := &overlappingWorld{world: w}
		w.patient = true
		for i := range int32(mechanicIDs) {
			c := &overlappingClient{client: m.client(), known: map[int32]*garage.Mechanic{}, own: &i}
			c.table = m.open(c.client).Mechanics
			m.start(c.client, c.call)
		}
		for range 2 {
			m.reconciler(m.open, "mechanics")
		}
		if m.run(); w.fault == "" {
			m.land()
			m.checkCopies()
		}
	})
}

// overlappingWorld is a world in which clients change mechanics, and any two calls can overlap.
type overlappingWorld struct{ *world }

func (m *overlappingWorld) open(c *client) *garage.Store {
	s, err := garage.OpenBackend(m.t.Context(), c, c.config(0))
	require.NoError(m.t, err)
	return s
}

// play runs some clients, and reconcilers beside them.
func (m *overlappingWorld) play(reconcilers int) {
	for range 1 + m.rng.IntN(3) {
		c := &overlappingClient{client: m.client(), known: map[int32]*garage.Mechanic{}}
		c.table = m.open(c.client).Mechanics
		m.start(c.client, c.call)
	}
	for range reconcilers {
		m.reconciler(m.open, "mechanics")
	}
	m.run()
}

func (m *overlappingWorld) finish() {
	m.pass()
	m.reconcile(m.open, "mechanics")
	m.checkCopies()
	m.now += 1_000_000
	report, found, writes := m.reconcile(m.open, "mechanics")
	for _, d := range found {
		if d.Kind != mapper.DriftTwoOwners && d.Kind != mapper.DriftUnprojectable {
			m.failf("a second run finds %+v", d)
		}
	}
	if writes > 0 || report.Repaired > 0 || report.TooRecent > 0 {
		m.failf("a second run writes %d times: %+v", writes, report)
	}
}

// checkCopies compares the copies with the projections of the roots. The copies of a root that cannot be projected, because an update
// has overlapped a delete, and the rows that two roots claim, are not compared.
func (m *overlappingWorld) checkCopies() {
	want := projections{}
	partial := map[string]bool{}
	owners := map[string]int{}
	roots := m.rows("mechanics")
	for _, r := range roots {
		if len(r.cell("city")) == 0 {
			partial[string(r.cell("id"))] = true
		}
		for _, tool := range r.elements("tools") {
			owners[string(tool)]++
		}
	}
	for _, r := range roots {
		if partial[string(r.cell("id"))] {
			continue
		}
		onDuty := r.cell("on_duty")
		want.each("mechanics_by_skill", r, "skills", "id", "name", "city")
		want.one("mechanics_by_city", r, true, "city", "id", "name")
		want.one("mechanics_on_duty", r, len(onDuty) == 1 && onDuty[0] != 0, "id", "name", "city")
		for _, tool := range r.elements("tools") {
			if owners[string(tool)] == 1 {
				want["tools"] = append(want["tools"], rowText(append(cell.Row{tool}, r.cells("id", "name")...)))
			}
		}
	}
	for _, name := range []string{"mechanics_by_skill", "mechanics_by_city", "mechanics_on_duty"} {
		m.compareRows(name, want[name], func(r named) bool { return !partial[string(r.cell("id"))] })
	}
	m.compareRows("tools", want["tools"], func(r named) bool {
		return !partial[string(r.cell("owner"))] && owners[string(r.cell("tool"))] < 2
	})
}

// compareRows compares some rows of a table with what they must be.
func (w *world) compareRows(name string, want []string, compared func(named) bool) {
	var got []string
	for _, r := range w.rows(name) {
		if compared(r) {
			got = append(got, rowText(r.row))
		}
	}
	for _, rows := range [][]string{got, want} {
		for i := range rows {
			rows[i] = strings.ReplaceAll(rows[i], " null", ` ""`) // a null is read as an empty text
		}
		slices.Sort(rows)
	}
	if !slices.Equal(got, want) {
		w.failf("%s has %v, not %v", name, got, want)
	}
}

// overlappingClient makes random calls that change mechanics.
type overlappingClient struct {
	*client
	table garage.MechanicsTable
	known map[int32]*garage.Mechanic // as they were last read or written
	own   *int32                     // the only row that it changes; nil: all
}

func (c *overlappingClient) call(x *invocation) {
	if x.id = int32(c.rng.IntN(mechanicIDs)); c.own != nil {
		x.id = *c.own
	}
	v := c.changed(garage.Mechanic{ID: x.id})
	switch n := c.rng.IntN(10); {
	case n < 2 && (c.own == nil || len(c.calls) == 1): // the identifier must be new
		c.do(x, "Insert", v)
	case n < 4:
		c.do(x, "Put", v)
	case n < 5:
		c.do(x, "Delete", v)
	case n < 7:
		c.do(x, "Change", v)
	default:
		c.do(x, "Update", v)
	}
}

// do makes a call. Without a known value, Change is Update.
func (c *overlappingClient) do(x *invocation, op string, v *garage.Mechanic) {
	old := c.known[x.id]
	if op == "Change" && old == nil {
		op = "Update"
	}
	ctx := context.Background()
	switch x.op = op; op {
	case "Insert":
		x.err = c.table.Insert(ctx, v)
	case "Put":
		x.err = c.table.Put(ctx, v)
	case "Delete":
		x.err = c.table.Delete(ctx, x.id)
		v = nil
	case "Change":
		v = c.changed(*old)
		x.err = c.table.Change(ctx, old, v)
	default:
		v, x.err = c.table.Update(ctx, x.id, func(v *garage.Mechanic) error { *v = *c.changed(*v); return nil })
	}
	if x.err == nil {
		c.known[x.id] = v
	}
}

// changed returns a mechanic with some values changed.
func (c *overlappingClient) changed(v garage.Mechanic) *garage.Mechanic {
	if c.chance(50) || v.Name == "" {
		v.Name = "n" + string('0'+byte(c.rng.IntN(9)))
	}
	if c.chance(50) || v.City == "" {
		v.City = "x" + string('0'+byte(c.rng.IntN(c.w.values+1)))
	}
	if c.chance(50) {
		v.OnDuty = !v.OnDuty
	}
	if c.chance(50) {
		v.Skills = toggled(v.Skills, c.pick("s"))
	}
	if c.chance(50) {
		tool := "t"
		if c.own != nil {
			tool = fmt.Sprintf("t%d.", v.ID)
		}
		v.Tools = toggled(v.Tools, c.pick(tool))
	}
	return &v
}

// TestReconcileVersionedSchedules runs clients of a versioned root, as TestSchedules does, and other clients beside two programs that
// reconcile the tables. Saves stay linearizable and unique values have one owner. A run in which no client writes leaves no
// difference, and the next one writes nothing. After gc_grace_seconds nothing is left of deleted roots.
func TestReconcileVersionedSchedules(t *testing.T) {
	simulate(t, 5, func(w *world) {
		w.replicate()
		c := customerWorld{w, []int{30, 60, 90}[w.rng.IntN(3)], []int{0, 30, 60}[w.rng.IntN(3)]}
		w.applied = c.checkSave
		c.playBeside(0)
		for range 1 + w.rng.IntN(2) {
			switch n := w.rng.IntN(10); {
			case n < 3:
				w.land()
				w.now += (w.gcGrace + 24*time.Hour).Microseconds()
			case n < 6: // requests stay in flight
				w.now += (w.gcGrace / 3).Microseconds()
			case n < 8:
				w.land()
			}
			c.playBeside(w.rng.IntN(3))
		}
		if w.fault == "" {
			c.finishReconciled()
		}
	})
}

func (w customerWorld) open(c *client) *garage.Store {
	s, err := garage.OpenBackend(w.t.Context(), c, c.config([]int{200, 400, 50 << 10}[w.rng.IntN(3)]))
	require.NoError(w.t, err)
	return s
}

// playBeside runs some clients, and reconcilers beside them.
func (w customerWorld) playBeside(reconcilers int) {
	for range 1 + w.rng.IntN(3) {
		c := &customerClient{client: w.client(), world: w, known: map[int32]*garage.Customer{}}
		c.table = w.open(c.client).Customers
		w.start(c.client, c.call)
	}
	for range reconcilers {
		w.reconciler(w.open, "customers")
	}
	w.run()
}

func (w customerWorld) finishReconciled() {
	w.checkResults()
	w.land()
	if w.chance(50) { // the runs have hidden no save
		w.repair()
		w.checkCopies()
	}
	w.now += 2*maxSkew + int64(w.rng.IntN(1_000_000))
	w.reconcile(w.open, "customers")
	w.land()
	w.checkCopies()
	w.checkReservations()
	report, found, writes := w.reconcile(w.open, "customers")
	if len(found) > 0 || writes > 0 || !report.Clean() {
		w.failf("a second run writes %d times and finds %+v", writes, found)
	}
	w.now += (w.gcGrace + 24*time.Hour).Microseconds()
	w.reconcile(w.open, "customers")
	w.checkPurged()
}

// checkReservations checks that the reservations are those of the customers.
func (w customerWorld) checkReservations() {
	want := projections{}
	for _, c := range w.rows("customers") {
		want.one("customers__email_unique", c, c.cell("email") != nil, "email", "id")
		want.one("customers__licence_unique", c, !hasEmpty(c.cells("country", "licence")), "country", "licence", "id")
		want.each("customers__vehicles_unique", c, "vehicles", "id")
	}
	for _, t := range w.aggregate(w.table("customers")).Versioning.Uniques {
		var got []string
		for _, r := range w.rows(t.Table.Name) {
			if owner := r.row[t.Table.Key]; owner != nil {
				got = append(got, rowText(r.row[:t.Table.Key+1]))
			}
		}
		slices.Sort(got)
		slices.Sort(want[t.Table.Name])
		if !slices.Equal(got, want[t.Table.Name]) {
			w.failf("%s has %v, not %v", t.Table.Name, got, want[t.Table.Name])
		}
	}
}

// checkPurged checks that no rows of deleted customers are left.
func (w customerWorld) checkPurged() {
	n := len(w.rows("customers"))
	if got := len(w.rows("customers__sync")); got != n {
		w.failf("%d done-markers of %d customers", got, n)
	}
	for _, u := range w.aggregate(w.table("customers")).Versioning.Uniques {
		for _, r := range w.rows(u.Table.Name) {
			if r.row[u.Table.Key] == nil {
				w.failf("%s has a reservation without an owner: %s", u.Table.Name, rowText(r.row))
			}
		}
	}
}

// A row of a redundant table in the partition of a versioned root is deleted if no root has it.
func TestReconcileStrays(t *testing.T) {
	w := newWorld(t, 1)
	c := customerWorld{world: w}
	w.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
	s := c.open(w.observer())
	for id := range int32(3) {
		require.NoError(t, s.Customers.Insert(t.Context(), &garage.Customer{ID: id, Name: "Ana"}))
	}
	w.now += time.Hour.Microseconds()
	write := func(table string, at int64, id byte, columns ...int) {
		m := plan.Mutation{Table: w.table(table), Row: make(cell.Row, len(w.table(table).Columns))}
		m.Row[0] = cell.Cell{0, 0, 0, id}
		for _, i := range columns {
			m.Row[i] = cell.Cell("x")
			m.Write.Add(i)
		}
		w.apply([]plan.Mutation{m}, store.Write{Timestamp: at})
	}
	old := w.now - (11 * 24 * time.Hour).Microseconds()
	write("customer_cards", old, 7, 1)
	write("customer_cards", w.now, 8, 1)
	report, found, _ := w.reconcile(c.open, "customers")
	require.Len(t, found, 2)
	require.Equal(t, map[mapper.DriftKind]int64{mapper.DriftSourcePurged: 2}, report.Found["customer_cards"])
	require.Equal(t, int64(1), report.Repaired, "a save that writes the other row could still be carried out")
	w.now += (11 * 24 * time.Hour).Microseconds()
	report, _, _ = w.reconcile(c.open, "customers")
	require.Equal(t, int64(1), report.Repaired)
	c.checkCopies()
	require.Empty(t, w.fault)
}

// The reservation of a group with an empty text, which a program of an earlier release has written, is released.
func TestReconcileReleasesEmptyGroups(t *testing.T) {
	w := newWorld(t, 1)
	c := customerWorld{world: w}
	w.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
	customers := c.open(w.observer()).Customers
	for id := range int32(2) {
		require.NoError(t, customers.Insert(t.Context(), &garage.Customer{ID: id, Country: new("BR"), Licence: new("")}))
	}
	owner, err := customers.Get(t.Context(), 0)
	require.NoError(t, err)
	m := plan.Mutation{Table: w.table("customers__licence_unique"), Row: cell.Row{cell.Cell("BR"), {}, {0, 0, 0, 0}, plan.Bigint(owner.Version - 2), plan.Bigint(0)}}
	m.Write = m.Table.BeyondKey()
	w.apply([]plan.Mutation{m}, store.Write{Timestamp: w.now})
	w.pass()
	report, _, _ := w.reconcile(c.open, "customers")
	require.Equal(t, map[mapper.DriftKind]int64{mapper.DriftLeakedReservation: 1}, report.Found["customers__licence_unique"])
	require.True(t, report.Clean())
	c.checkReservations()
	require.Empty(t, w.fault)
}
