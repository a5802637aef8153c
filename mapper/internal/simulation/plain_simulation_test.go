package simulation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
)

// TestPlainSchedules runs several clients of a plain root on one database in random schedules, one request at a time. Requests
// are lost, are carried out late or twice, or have an unknown outcome; clocks differ from the true time by up to 3 s; clients
// die between two requests. The calls do not overlap: before a call begins, all requests of the call before it have taken
// place, and more time has passed than the difference between the clocks. Then a call that returns nil has been carried out, a
// call that fails without an unknown outcome has written nothing, and after each call the copies are the projections of the
// roots.
func TestPlainSchedules(t *testing.T) {
	simulate(t, 1, func(w *world) { newMechanicWorld(w).play() })
}

// mechanicWorld is a world in which clients change mechanics. Calls do not overlap.
type mechanicWorld struct {
	*world
	truth garage.MechanicsTable
	known map[int32]*garage.Mechanic // after the last call
	want  *garage.Mechanic           // what a call that returns nil has written; nil: it has deleted the row
	last  *invocation                // that has not been checked
}

const mechanicIDs = 3

func newMechanicWorld(w *world) *mechanicWorld {
	m := &mechanicWorld{world: w, known: map[int32]*garage.Mechanic{}}
	w.between = m.check
	m.truth = m.open(w.observer()).Mechanics
	return m
}

func (m *mechanicWorld) open(c *client) *garage.Store {
	s, err := garage.OpenBackend(m.t.Context(), c, c.config(0))
	require.NoError(m.t, err)
	return s
}

func (m *mechanicWorld) play() {
	for range 2 + m.rng.IntN(3) {
		c := &mechanicClient{client: m.client(), m: m}
		c.store = m.open(c.client)
		m.start(c.client, c.call)
	}
	m.run()
}

// check compares the tables with the result of the last call.
func (m *mechanicWorld) check() {
	x := m.last
	if x == nil {
		return
	}
	m.last = nil
	want := m.known[x.id]
	if x.err == nil && x.op != "Of" {
		want = m.want
	}
	is, err := m.truth.Get(m.t.Context(), x.id)
	if err != nil && !errors.Is(err, mapper.ErrNotFound) {
		m.failf("read %d: %v", x.id, err)
	}
	if !mapper.OutcomeUnknown(x.err) && !assert.ObjectsAreEqual(want, is) {
		m.failf("after %s (%s %d: %v), the mechanic is %+v, not %+v", x.label, x.op, x.id, x.err, is, want)
	}
	m.known[x.id] = is
	m.checkCopies()
}

// checkCopies compares the copies with the projections of the roots.
func (m *mechanicWorld) checkCopies() {
	want := projections{}
	for _, r := range m.rows("mechanics") {
		onDuty := r.cell("on_duty")
		want.each("mechanics_by_skill", r, "skills", "id", "name", "city")
		want.one("mechanics_by_city", r, true, "city", "id", "name")
		want.one("mechanics_on_duty", r, len(onDuty) == 1 && onDuty[0] != 0, "id", "name", "city")
		want.each("tools", r, "tools", "id", "name")
	}
	m.compare(want, "mechanics_by_skill", "mechanics_by_city", "mechanics_on_duty", "tools")
}

// mechanicClient makes random calls that read and change mechanics.
type mechanicClient struct {
	*client
	m     *mechanicWorld
	store *garage.Store
}

func (c *mechanicClient) call(x *invocation) {
	m, table, ctx := c.m, c.store.Mechanics, context.Background()
	x.id = int32(c.w.rng.IntN(mechanicIDs))
	m.last, m.want = x, nil
	old := m.known[x.id]
	switch n := c.w.rng.IntN(12); {
	case n < 4 && old == nil:
		x.op, m.want = "Insert", c.changed(x, garage.Mechanic{ID: x.id})
		x.err = table.Insert(ctx, m.want)
	case n < 4:
		x.op, m.want = "Change", c.changed(x, *old)
		x.err = table.Change(ctx, old, m.want)
	case n < 6:
		x.op, m.want = "Put", c.changed(x, garage.Mechanic{ID: x.id})
		x.err = table.Put(ctx, m.want)
	case n < 7:
		x.op = "Delete"
		x.err = table.Delete(ctx, x.id)
	case n < 8:
		x.op = "Of"
		x.err = c.read(ctx)
	default:
		x.op = "Update"
		m.want, x.err = table.Update(ctx, x.id, func(v *garage.Mechanic) error { *v = *c.changed(x, *v); return nil })
	}
}

// read reads the mechanics of a city, page by page. If calls do not overlap, it finds all of them.
func (c *mechanicClient) read(ctx context.Context) error {
	city := "x1"
	var got, want []garage.MechanicByCity
	for v, err := range c.store.MechanicsByCity.Of(city).All(ctx) {
		if err != nil {
			return err
		}
		got = append(got, *v)
	}
	for id := range int32(mechanicIDs) {
		if v := c.m.known[id]; v != nil && v.City == city {
			want = append(want, garage.MechanicByCity{City: city, ID: id, Name: v.Name})
		}
	}
	if c.w.between != nil && !assert.ObjectsAreEqual(want, got) {
		c.w.failf("city %s has %v, not %v", city, got, want)
	}
	return nil
}

// changed returns a mechanic with the label of the call added to its name, and with some other values changed.
func (c *mechanicClient) changed(x *invocation, v garage.Mechanic) *garage.Mechanic {
	v.Name += "+" + x.label
	if v.City == "" || c.w.chance(50) {
		v.City = fmt.Sprintf("x%d", c.w.rng.IntN(c.w.values+1))
	}
	if c.w.chance(50) {
		v.OnDuty = !v.OnDuty
	}
	if c.w.chance(50) {
		v.Skills = toggled(toggled(v.Skills, c.pick("s")), c.pick("s"))
	}
	if tool := c.pick("t"); tool != nil && !c.m.isTaken(v.ID, *tool) {
		v.Tools = toggled(v.Tools, tool)
	}
	return &v
}

// isTaken reports whether a mechanic other than id has a tool.
func (m *mechanicWorld) isTaken(id int32, tool string) bool {
	for other, v := range m.known {
		if other != id && v != nil && slices.Contains(v.Tools, tool) {
			return true
		}
	}
	return false
}
