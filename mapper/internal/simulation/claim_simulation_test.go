package simulation

import (
	"context"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// TestClaimSchedules runs clients that sign customers up with an e-mail and a licence, so that many saves are refused for one value after
// they have claimed the other one. Several saves of one customer claim the same value, and other customers want it. A call sends its
// claims at the same time. Conditional requests are lost, late or carried out twice, and so are those that give claims back. The clocks
// are so far apart that floors are above the versions that other clients plan. Sometimes gc_grace_seconds pass, or a third of it while
// requests are in flight, and old reservations are removed while clients write. In every schedule a value has one owner, and the
// owner of a value has its reservation, so that no other root can take it.
func TestClaimSchedules(t *testing.T) {
	simulate(t, 2, func(w *world) {
		if w.chance(50) {
			w.skew = (20 * time.Minute).Microseconds()
		}
		if w.chance(50) { // a request that is late, or carried out twice, arrives after several calls
			w.landing = 4
		}
		c := claimWorld{
			customerWorld: customerWorld{w, []int{60, 90, 100}[w.rng.IntN(3)], []int{30, 60, 100}[w.rng.IntN(3)]},
			doubled:       []int{8, 30}[w.rng.IntN(2)], first: []int{33, 60}[w.rng.IntN(2)],
		}
		w.applied = c.checkOwned
		c.play(0)
		for range w.rng.IntN(3) {
			switch n := w.rng.IntN(10); {
			case n < 5:
				w.land()
				w.now += (w.gcGrace + 24*time.Hour).Microseconds()
			case n < 7: // requests stay in flight
				w.now += (w.gcGrace / 3).Microseconds()
			case n < 9:
				w.land()
			}
			c.play(w.rng.IntN(3))
		}
		if w.fault == "" {
			c.checkResults()
			w.land()
			c.checkReserved()
		}
	})
}

// claimWorld is a world in which clients claim unique values.
type claimWorld struct {
	customerWorld
	doubled int // how many of 100 changes of reservations are carried out a second time
	first   int // how many of 100 calls that sign up are for the first customer
}

const claimIDs = 3

// play runs some clients, and reconcilers beside them.
func (w claimWorld) play(reconcilers int) {
	for range 2 + w.rng.IntN(3) {
		c := &claimClient{customerClient{client: w.client(), world: w.customerWorld, known: map[int32]*garage.Customer{}}, w.first}
		s, err := garage.OpenBackend(w.t.Context(), doubling{c.client, w.doubled}, c.config(50<<10))
		require.NoError(w.t, err)
		c.table = s.Customers
		w.start(c.client, c.call)
	}
	for range reconcilers {
		w.reconciler(w.open, "customers")
	}
	w.run()
}

// checkOwned checks a save, and that no two customers have the same value.
func (w claimWorld) checkOwned(a *plan.Aggregate, before, after *plan.State) {
	w.checkSave(a, before, after)
	owners := map[string]cell.Row{}
	for id := range int32(claimIDs) {
		s := w.stateOf(a, idKey(id))
		values, err := a.Claims(s)
		if err != nil {
			w.failf("%v", err)
		}
		for _, v := range values {
			if o := owners[v.Table.Name+v.Text()]; o != nil {
				w.failf("%s has the owners %v and %v", v.Text(), o, s.Row[:1])
			}
			owners[v.Table.Name+v.Text()] = s.Row[:1]
		}
	}
}

// checkReserved checks that each customer owns the reservations of its values.
func (w claimWorld) checkReserved() {
	a := w.aggregate(w.table("customers"))
	for id := range int32(claimIDs) {
		s := w.stateOf(a, idKey(id))
		values, err := a.Claims(s)
		if err != nil {
			w.failf("%v", err)
		}
		for _, v := range values {
			row, err := w.db.Row(w.t.Context(), &store.Lookup{Read: store.Read{Table: v.Table, Key: v.Key}})
			if err != nil || row == nil || row[v.Table.Key] == nil || !plan.SameKey(row[v.Table.Key:], s.Row, 1) {
				w.failf("customer %d has %s, and the reservation is %v, %v", id, v.Text(), row, err)
			}
		}
	}
}

// claimClient makes random calls, most of which sign a customer up.
type claimClient struct {
	customerClient
	first int
}

func (c *claimClient) call(x *invocation) {
	switch n := c.w.rng.IntN(100); {
	case n < 25:
		c.customerClient.call(x)
		return
	case n < 35:
		c.changeUnread(x)
		return
	}
	if !c.w.chance(c.first) {
		x.id = 1 + int32(c.w.rng.IntN(claimIDs-1))
	}
	v := c.changed(x, garage.Customer{ID: x.id})
	v.Vehicles = nil
	if x.op = "Insert"; c.w.chance(20) {
		x.op = "Put"
		x.err = c.table.Put(context.Background(), v)
	} else {
		x.err = c.table.Insert(context.Background(), v)
	}
	if x.err == nil {
		c.known[x.id] = v
	}
}

// changeUnread makes a Change whose old value lacks unique values that the row can have, as a program that has not read all columns does.
// The call claims them again.
func (c *claimClient) changeUnread(x *invocation) {
	x.id = int32(c.w.rng.IntN(claimIDs))
	if c.known[x.id] == nil {
		c.do(x, "Put")
		return
	}
	old := *c.known[x.id]
	v := old
	if old.Email = nil; c.w.chance(50) {
		old.Country, old.Licence = nil, nil
	}
	v.Name += "+" + x.label
	if c.w.chance(50) {
		c.change(&v)
	}
	x.op, x.saves, x.version = "Change", true, old.Version
	if x.err = c.table.Change(context.Background(), &old, &v); x.err == nil {
		c.known[x.id] = &v
	}
}

// doubling is a client. Some of its changes of reservations are carried out a second time later.
type doubling struct {
	*client
	percent int
}

// Open creates the tables in the database, and returns the client.
func (d doubling) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	_, err := d.client.Open(ctx, schema)
	return d, err
}

// CAS carries out a conditional statement, sometimes twice.
func (d doubling) CAS(ctx context.Context, x *plan.Conditional, o store.CAS) (store.Answer, error) {
	statement := *x
	statement.Row, statement.If = slices.Clone(x.Row), slices.Clone(x.If)
	answer, err := d.client.CAS(ctx, x, o)
	if !d.dead && !d.calm && d.w.aggregate(x.Table) == nil && d.w.chance(d.percent) {
		d.w.late = append(d.w.late, late{run: func() { _, _ = d.w.cas(d.name+" again", &statement, o) }})
	}
	return answer, err
}

// strand is one of several requests that a call of a client sends at the same time.
type strand struct {
	resume func() (struct{}, bool) // runs it until its next request, or its end
	park   func(struct{}) bool
}

// RunAll runs each do as a strand. At each turn of the client, one of them, which the schedule chooses, sends its next request: so
// requests of other clients, and late ones, take place between them.
func (c *client) RunAll(n int, do func(i int)) {
	if c.calm || n < 2 {
		for i := range n {
			do(i)
		}
		return
	}
	main := c.park
	run := func(s *strand) (waits bool) {
		c.park = s.park
		_, waits = s.resume()
		c.park, c.waiting = main, false
		return waits
	}
	var waiting []*strand
	for i := range n {
		s := new(strand)
		s.resume, _ = iter.Pull(func(park func(struct{}) bool) {
			s.park, c.park = park, park
			do(i)
		})
		if run(s) {
			waiting = append(waiting, s)
		}
	}
	for len(waiting) > 0 {
		c.yield()
		i := c.w.rng.IntN(len(waiting))
		if !run(waiting[i]) {
			waiting = slices.Delete(waiting, i, i+1)
		}
	}
}
