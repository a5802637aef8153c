package simulation

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
)

// TestSchedules runs several clients of a versioned root on one database in random schedules, one request at a time. Requests
// are lost, refused, carried out late or twice, or have an unknown outcome; reads miss statements that are in flight; clocks differ
// from the true time by up to 20 minutes; clients stall for up to an hour, and die between two requests. In every schedule, a save is
// applied at most once, and only to the row that it was planned from.
// The result of a call, unless it is an unknown outcome, agrees with what was applied. A unique value has one owner. After
// every aggregate has been repaired once, the copies are the projections of the roots.
func TestSchedules(t *testing.T) {
	simulate(t, 1, func(w *world) {
		w.replicate()
		customerWorld{w, []int{30, 60, 90}[w.rng.IntN(3)], []int{0, 30, 60}[w.rng.IntN(3)]}.play()
	})
}

// customerWorld is a world in which clients change customers. Any two calls can overlap.
type customerWorld struct {
	*world
	email, licence int // in how many of 100 changes a unique value is chosen
}

const customerIDs = 2

func (w customerWorld) play() {
	w.applied = w.checkSave
	for range 2 + w.rng.IntN(4) {
		c := &customerClient{client: w.client(), world: w, known: map[int32]*garage.Customer{}}
		s, err := garage.OpenBackend(w.t.Context(), c.client, c.config([]int{200, 400, 50 << 10}[w.rng.IntN(3)]))
		require.NoError(w.t, err)
		c.table = s.Customers
		w.start(c.client, c.call)
	}
	w.run()
	if w.fault == "" {
		w.finish()
	}
}

// finish repairs every aggregate while some requests may still be late, carries these out, and compares the tables.
func (w customerWorld) finish() {
	w.checkResults()
	for len(w.late) > 0 && w.chance(80) {
		w.carryOut(w.rng.IntN(len(w.late)))
	}
	w.repair()
	w.land()
	w.checkCopies()
}

// repair makes the copies of every customer equal to its root.
func (w customerWorld) repair() {
	c := w.observer()
	db, err := call.OpenBackend(w.t.Context(), c, w.schema, c.config(0))
	require.NoError(w.t, err)
	root := w.table("customers")
	codec := new(call.Codec).Start(root, nil, nil, false)
	table := save.NewVersioned(call.NewReader(db, codec), w.aggregate(root))
	for id := range int32(customerIDs) {
		if err := Repair(w.t.Context(), table, idKey(id)); err != nil {
			w.failf("repair %d: %v", id, err)
		}
	}
}

func idKey(id int32) cell.Row { return cell.Row{binary.BigEndian.AppendUint32(nil, uint32(id))} }

// checkResults compares the results of the calls with the saves that were applied.
func (w customerWorld) checkResults() {
	for _, c := range w.clients {
		for _, x := range c.calls {
			switch {
			case !x.ended || errors.Is(x.err, errDead) || !x.saves:
			case x.applied > 1:
				w.failf("%s was applied %d times", x.label, x.applied)
			case x.found && x.applied > 0:
				w.failf("%s was applied and has found a row", x.label)
			case x.err == nil && x.applied == 0 && x.op != "Delete" && !x.found:
				w.failf("%s succeeded and was not applied", x.label)
			case x.err != nil && x.applied > 0 && !mapper.OutcomeUnknown(x.err):
				w.failf("%s was applied and failed: %v", x.label, x.err)
			}
		}
	}
}

// checkCopies compares the copies with the projections of the roots.
func (w customerWorld) checkCopies() {
	want := projections{}
	for _, c := range w.rows("customers") {
		want.each("vehicles", c, "vehicles", "id", "name", "city")
		want.one("customers_by_city", c, c.cell("city") != nil, "city", "id", "name")
		want.one("customers_by_email", c, c.cell("email") != nil, "email", "id", "name")
		want.one("customer_cards", c, true, "id", "name")
	}
	w.compare(want, "customer_cards", "vehicles", "customers_by_city", "customers_by_email")
}

// checkSave checks that a save that was applied was planned from the state before it.
func (w customerWorld) checkSave(a *plan.Aggregate, before, after *plan.State) {
	if after == nil {
		if before.Exists() {
			w.failf("a row that is not deleted was removed: %v", before)
		}
		return
	}
	if after.Version <= before.CurrentVersion() {
		w.failf("the version went from %d to %d", before.CurrentVersion(), after.Version)
	}
	if after.Exists() {
		w.checkOwner(a, after)
	}
	if len(after.Attempts) == 0 || before != nil && slices.Equal(before.Attempts, after.Attempts) {
		return // a fence
	}
	x := w.saves[lastAttempt(after)]
	x.applied++
	name := func(s *plan.State) string { return string(named{a.Root, s.Row}.cell("name")) }
	switch x.op {
	case "DeleteAt":
		if before.CurrentVersion() != x.version || after.Exists() {
			w.failf("%s has deleted the version %d, not %d", x.label, before.CurrentVersion(), x.version)
		}
	case "Insert":
		if before.Exists() {
			w.failf("%s inserted over a row", x.label)
		}
	case "Update", "Change":
		if !before.Exists() || name(after) != name(before)+"+"+x.label {
			w.failf("%s has changed the name to %q", x.label, name(after))
		}
		if x.op == "Change" && before.CurrentVersion() != x.version {
			w.failf("%s has changed the version %d, not %d", x.label, before.CurrentVersion(), x.version)
		}
	}
}

func lastAttempt(s *plan.State) plan.Attempt { return s.Attempts[len(s.Attempts)-1] }

// checkOwner checks that no other customer has a unique value of s.
func (w customerWorld) checkOwner(a *plan.Aggregate, s *plan.State) {
	for id := range int32(customerIDs) {
		o := w.stateOf(a, idKey(id))
		if !o.Exists() || plan.SameKey(o.Row, s.Row, a.Root.Key) {
			continue
		}
		for _, unique := range [][]string{{"email"}, {"country", "licence"}} {
			v := named{a.Root, s.Row}.cells(unique...)
			if !hasEmpty(v) && rowText(v) == rowText(named{a.Root, o.Row}.cells(unique...)) {
				w.failf("%q has two owners", v)
			}
		}
	}
}

func hasEmpty(row cell.Row) bool {
	return slices.ContainsFunc(row, func(c cell.Cell) bool { return len(c) == 0 })
}

// customerClient makes random calls that change customers.
type customerClient struct {
	*client
	world customerWorld
	table garage.CustomersTable
	known map[int32]*garage.Customer // as they were last read or written
	given func(*garage.Customer)     // is called with each value that is written; nil: nothing
	fixed *garage.Customer           // has the values that it writes; nil: random ones
}

func (c *customerClient) call(x *invocation) {
	x.id = int32(c.rng.IntN(customerIDs))
	switch n := c.rng.IntN(10); {
	case n < 2:
		c.do(x, "Insert")
	case n < 3:
		c.do(x, "Put")
	case n < 4:
		c.do(x, []string{"Delete", "DeleteAt"}[c.rng.IntN(2)])
	case n < 6:
		c.do(x, "Change")
	default:
		c.do(x, "Update")
	}
}

// do makes a call that changes a customer. Without a known version, DeleteAt is Delete, and Change is Update.
func (c *customerClient) do(x *invocation, op string) {
	old := c.known[x.id]
	if old == nil {
		op = cmp.Or(map[string]string{"DeleteAt": "Delete", "Change": "Update"}[op], op)
	}
	var v *garage.Customer
	ctx := context.Background()
	x.op, x.saves = op, true
	switch op {
	case "Insert":
		v = c.changed(x, garage.Customer{ID: x.id})
		x.err = c.table.Insert(ctx, v)
	case "Put":
		v = c.changed(x, garage.Customer{ID: x.id})
		x.err = c.table.Put(ctx, v)
	case "Delete":
		x.err = c.table.Delete(ctx, x.id)
	case "DeleteAt":
		x.version = old.Version
		x.err = c.table.DeleteAt(ctx, x.id, old.Version)
	case "Change":
		x.version, v = old.Version, c.changed(x, *old)
		x.err = c.table.Change(ctx, old, v)
	default:
		v, x.err = c.table.Update(ctx, x.id, func(v *garage.Customer) error { *v = *c.changed(x, *v); return nil })
	}
	if x.err == nil {
		c.known[x.id] = v
	}
}

// changed returns a customer with the label of the call added to its name, and with some other values changed.
func (c *customerClient) changed(x *invocation, v garage.Customer) *garage.Customer {
	v.Name += "+" + x.label
	if c.fixed != nil {
		v.Email, v.City, v.Vehicles = c.fixed.Email, c.fixed.City, c.fixed.Vehicles
	} else {
		c.change(&v)
	}
	if c.given != nil {
		c.given(&v)
	}
	return &v
}

// change changes some values.
func (c *customerClient) change(v *garage.Customer) {
	if c.chance(c.world.email) {
		v.Email = c.pick("e")
	}
	if c.chance(c.world.licence) {
		v.Country, v.Licence = c.pick("n"), c.pick("l")
	}
	if c.chance(50) {
		v.City = c.pick("x")
	}
	if c.chance(50) {
		v.Vehicles = toggled(toggled(v.Vehicles, c.pick("p")), c.pick("p"))
	}
}
