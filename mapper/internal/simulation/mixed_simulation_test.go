package simulation

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/work"
)

// TestMixedSchedules runs clients that make all kinds of calls of a versioned root in one schedule, with the faults of TestSchedules: saves,
// reads by unique values, reads with Options.Verified, Reconcile of one customer and of all, alone or as a run that several clients share,
// and backfills that end and continue from their checkpoints. Saves and reads by unique values are as in TestSchedules and
// TestGetBySchedules. A row that a verified read returns follows from a state that its root had during the read. Clients that complete a
// shared run have the same report. At the end the copies and the reservations follow from the roots: after one run of Reconcile, or after
// Reconcile of each customer with the values that clients have given to it, or after one more save.
func TestMixedSchedules(t *testing.T) {
	simulate(t, 5, func(w *world) {
		m := newMixedWorld(w, []int{30, 60, 90}[w.rng.IntN(3)], []int{0, 60}[w.rng.IntN(2)])
		m.prepare(w.rng.IntN(mixedStates))
		for range 1 + w.rng.IntN(2) {
			m.share = m.newShare()
			for range 2 + w.rng.IntN(3) {
				c := m.client()
				w.start(c.client, func(x *invocation) { m.call(c, x) })
			}
			w.run()
		}
		if w.fault == "" {
			m.finish()
		}
	})
}

// TestRefillSchedules empties a copy of a versioned root, as aml reconcile -refill does, and fills it again beside clients that save roots and
// repeat each request until its outcome is known. The backfill can end early, and then continues. At the end all copies follow from the roots,
// although no save and no run of Reconcile follows: the backfill has missed no row, and has written none that a save has deleted.
func TestRefillSchedules(t *testing.T) {
	simulate(t, 10, func(w *world) {
		w.patient, w.refusals = true, false
		m := newMixedWorld(w, 60, 0)
		table := []string{"customers_by_city", "customers_by_email", "vehicles", "customer_cards"}[w.rng.IntN(4)]
		before := m.newClient(w.observer())
		before.truncated = table
		for id := range int32(customerIDs) {
			for _, op := range []string{"Put", "Update", []string{"Update", "Delete"}[w.rng.IntN(2)]}[:w.rng.IntN(4)] {
				before.current = &invocation{label: "before", id: id}
				before.do(before.current, op)
			}
		}
		for range 1 + w.rng.IntN(3) {
			c := m.client()
			w.start(c.client, func(x *invocation) { m.callAndSave(c, x) })
		}
		c := m.client()
		c.turns = 1
		w.start(c.client, func(x *invocation) {
			x.op = "Fill"
			for x.err = errInterrupted; x.err != nil && w.fault == ""; {
				x.err = m.fillTable(c.client, w.table("customers"), table, c.filled)
			}
		})
		if w.run(); w.fault == "" {
			w.land()
			m.checkCopies()
		}
	})
}

// callAndSave makes a call that changes a customer. If its outcome is unknown, it saves or deletes the customer once more, which writes the copies.
func (m *mixedWorld) callAndSave(c *mixedClient, x *invocation) {
	op := "Update"
	for c.call(x); mapper.OutcomeUnknown(x.err); {
		c.current = &invocation{label: x.label + "'", id: x.id}
		if c.do(c.current, op); c.current.err == nil {
			return
		}
		if errors.Is(c.current.err, mapper.ErrNotFound) {
			op = "Delete"
		}
	}
}

// mixedWorld is a world in which clients make all kinds of calls that concern customers.
type mixedWorld struct {
	readerWorld
	given   map[int32][]*garage.Customer // the values that clients have tried to write
	looks   map[*look]bool               // looks that have not ended
	share   *work.Shared
	reports map[*work.Shared][]*mapper.ReconcileReport // of the clients that have completed a shared run
}

// mixedClient is a client of a mixedWorld.
type mixedClient struct {
	*customerClient
	m      *mixedWorld
	store  *garage.Store
	filled map[string]string // the checkpoints of backfills that have not ended, by table
}

// look is a verified read that has not ended, with the rows of the customers that it can have seen.
type look struct{ customers []named }

func newMixedWorld(w *world, email, licence int) *mixedWorld {
	m := &mixedWorld{given: map[int32][]*garage.Customer{}, looks: map[*look]bool{}, reports: map[*work.Shared][]*mapper.ReconcileReport{}}
	m.readerWorld = readerWorld{customerWorld{w, email, licence}, new([]*getBy)}
	w.applied = func(a *plan.Aggregate, before, after *plan.State) {
		m.checkSave(a, before, after)
		for _, g := range *m.reads {
			m.observe(a, g)
		}
		for l := range m.looks {
			m.see(l)
		}
	}
	return m
}

// newShare returns the jobs of a shared run.
func (m *mixedWorld) newShare() *work.Shared {
	return work.NewShared(20*time.Second, func() time.Duration { return time.Duration(m.now) * time.Microsecond })
}

// client returns a client with a store.
func (m *mixedWorld) client() *mixedClient { return m.newClient(m.world.client()) }

func (m *mixedWorld) newClient(on *client) *mixedClient {
	c := &mixedClient{m: m, customerClient: &customerClient{client: on, world: m.customerWorld, known: map[int32]*garage.Customer{}}, filled: map[string]string{}}
	on.openJob = func(ctx context.Context, job work.Job) (*work.Queue, error) {
		return m.share.Open(job, func(context.Context) error { return on.request() }, on.await)
	}
	c.given = func(v *garage.Customer) { m.given[v.ID] = append(m.given[v.ID], v) }
	c.store = m.open(on)
	c.table = c.store.Customers
	return c
}

// mixedCalls are the calls that a client makes, each as often as it is in the list.
var mixedCalls = []string{
	"Insert", "Insert", "Put", "Put", "Delete", "DeleteAt", "Change", "Change", "Change", "Update", "Update", "Update", "Update", "Update",
	"GetBy", "GetBy", "Verified", "Verified", "Verified", "ReconcileRow", "ReconcileRow", "Reconcile", "ReconcileShared", "Fill",
}

func (m *mixedWorld) call(c *mixedClient, x *invocation) {
	m.do(c, x, mixedCalls[c.rng.IntN(len(mixedCalls))], int32(c.rng.IntN(customerIDs)))
}

// do makes a call.
func (m *mixedWorld) do(c *mixedClient, x *invocation, op string, id int32) {
	ctx := context.Background()
	switch x.op, x.id = op, id; op {
	case "GetBy":
		reader := *c.customerClient
		reader.table = c.store.With(mapper.Options{Serial: c.chance(50)}).Customers
		m.read(&reader, x)
	case "Verified":
		m.verified(c, x)
	case "ReconcileRow":
		known := m.given[id]
		_, x.err = c.table.Reconcile(ctx, id, mapper.ReconcileConfig{DryRun: c.chance(10)}, known[:c.rng.IntN(len(known)+1)]...)
	case "Reconcile":
		config := m.reconcileConfig("customers", nil)
		config.DryRun = c.chance(10)
		_, x.err = c.store.Reconcile(ctx, config)
	case "ReconcileShared":
		m.reconcileShared(c, x)
	case "Fill":
		m.fill(c, x)
	default:
		c.do(x, op)
	}
}

// see adds the rows of the customers.
func (m *mixedWorld) see(l *look) {
	a := m.aggregate(m.table("customers"))
	for id := range int32(customerIDs) {
		if s := m.stateOf(a, idKey(id)); s.Exists() {
			l.customers = append(l.customers, named{a.Root, s.Row})
		}
	}
}

// verified reads rows of a redundant table as they follow from their roots.
func (m *mixedWorld) verified(c *mixedClient, x *invocation) {
	l := new(look)
	m.see(l)
	m.looks[l] = true
	defer delete(m.looks, l)
	s, ctx := c.store.With(mapper.Options{Verified: true}), context.Background()
	switch c.rng.IntN(3) {
	case 0:
		for v, err := range s.CustomersByCity.Of(*c.some("x")).All(ctx) {
			if x.err = err; err == nil {
				m.check(x, l, v.ID, v.Name, "city", v.City)
			}
		}
	case 1:
		for v, err := range s.Vehicles.Of(*c.some("p")).All(ctx) {
			if x.err = err; err == nil {
				m.check(x, l, v.Owner, v.Name, "vehicles", v.Plate)
			}
		}
	default:
		v, err := s.CustomersByEmail.Get(ctx, *c.some("e"))
		if x.err = err; err == nil {
			m.check(x, l, v.ID, v.Name, "email", v.Email)
		}
	}
	if x.err != nil && !readTimedOut(x.err) && !errors.Is(x.err, errDead) && !errors.Is(x.err, mapper.ErrNotFound) {
		m.failf("%s: %v", x.label, x.err)
	}
}

// check requires that a row follows from a state that its root had during the read.
func (m *mixedWorld) check(x *invocation, l *look, id int32, name, column, value string) {
	for _, n := range l.customers {
		has := string(n.cell(column)) == value
		if column == "vehicles" {
			has = slices.ContainsFunc(n.elements(column), func(e cell.Cell) bool { return string(e) == value })
		}
		if has && rowText(n.cells("id")) == rowText(idKey(id)) && string(n.cell("name")) == name {
			return
		}
	}
	m.failf("%s has read the row of %s %q, customer %d %q, which has followed from no customer since it began", x.label, column, value, id, name)
}

// reconcileShared takes part in the shared run, and compares the reports of those that have completed it.
func (m *mixedWorld) reconcileShared(c *mixedClient, x *invocation) {
	share := m.share
	config := mapper.ReconcileConfig{Tables: []string{"customers"}, Slices: 2, Job: "run"}
	report, err := c.store.Reconcile(context.Background(), config)
	if x.err = err; err != nil {
		return
	}
	all := append(m.reports[share], report)
	m.reports[share] = all
	first := all[0]
	if first.Rows != report.Rows || first.Repaired != report.Repaired || first.TooRecent != report.TooRecent ||
		!maps.EqualFunc(first.Found, report.Found, maps.Equal) {
		m.failf("%s has the report %+v of a shared run, and another client %+v", x.label, report, first)
	}
}

// fill fills a redundant table. Some backfills end early; the next one of the client continues from the checkpoint.
func (m *mixedWorld) fill(c *mixedClient, x *invocation) {
	table := []string{"customers_by_city", "customers_by_email", "vehicles", "customer_cards"}[c.rng.IntN(4)]
	x.err = m.fillTable(c.client, m.table("customers"), table, c.filled)
}

var errInterrupted = errors.New("the backfill is interrupted")

// fillTable fills a redundant table of a versioned root from a checkpoint.
func (w *world) fillTable(c *client, root *plan.Table, table string, from map[string]string) error {
	db, err := call.OpenBackend(w.t.Context(), c, w.schema, c.config(0))
	require.NoError(w.t, err)
	r := call.NewRoot(call.NewReader(db, new(call.Codec).Start(root, nil, nil, false)), w.aggregate(root))
	err = save.Fill(context.Background(), r, table, scan.FillConfig{PageSize: 1 + c.rng.IntN(2)}, from[table], func(next string) error {
		if from[table] = next; c.chance(10) {
			return errInterrupted
		}
		return nil
	})
	if err == nil {
		delete(from, table)
	}
	return err
}

// finish makes the copies equal to the roots in one of three ways, and compares the tables.
func (m *mixedWorld) finish() {
	switch m.rng.IntN(3) {
	case 0:
		m.finishReconciled()
		return
	case 1:
		m.customerWorld.finish()
		return
	}
	m.checkResults()
	m.land()
	m.now += 2*maxSkew + int64(m.rng.IntN(1_000_000))
	c := m.newClient(m.observer())
	for id := range int32(customerIDs) {
		if _, err := c.table.Reconcile(m.t.Context(), id, mapper.ReconcileConfig{}, m.given[id]...); err != nil {
			m.failf("reconcile %d: %v", id, err)
		}
	}
	m.land()
	m.checkCopies()
	m.checkReservations()
}

// await waits for the client's turn, and lets time pass.
func (c *client) await(context.Context, <-chan struct{}) error {
	if err := c.request(); err != nil {
		return err
	}
	c.w.now += int64(c.w.rng.IntN(1_000_000))
	return nil
}
