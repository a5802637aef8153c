package simulation

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/contract"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// TestKeepSchedules runs clients that save contracts with copies of fields of clients and offices, change and delete these, create them again, and
// reconcile, with the faults of TestFollowSchedules. Sometimes gc_grace_seconds pass, and deleted rows are removed. At no instant does a contract have
// other values than the last ones of a client or an office whose outbox is clear, whether these exist or not; and none refers by a reference that
// restricts deletions to one that does not exist. At the end FanOut or one run of Reconcile serves all outboxes; the next run finds nothing.
func TestKeepSchedules(t *testing.T) {
	simulate(t, 2, playContracts)
}

// contractWorld is a world in which clients change roots, of which some have copies of fields of others that can be deleted.
type contractWorld struct {
	*world
	roots map[string]*rootWorld // by table
	last  map[string]cell.Row   // the last rows of the roots that others follow, by table and key

	fannedOut bool // FanOut has ended, and nothing was saved since
}

const contractIDs = 2

func playContracts(w *world) {
	l := &contractWorld{world: w, roots: map[string]*rootWorld{}, last: map[string]cell.Row{}}
	for _, table := range []string{"clients", "offices", "contracts"} {
		l.roots[table] = &rootWorld{world: w, table: table, ids: contractIDs, values: func(named) []string { return nil }, lookups: map[*lookup]bool{}}
	}
	w.applied, w.others = l.checkSave, contract.Roots
	w.pages = true
	w.replicate()
	l.begin()
	l.round()
	for w.fault == "" && w.chance(40) {
		switch n := w.rng.IntN(4); {
		case n < 2:
			w.land()
			w.now += (w.gcGrace + 24*time.Hour).Microseconds()
		case n < 3: // requests stay in flight
			w.now += (w.gcGrace / 3).Microseconds()
		}
		if w.chance(50) {
			s := l.open(w.observer())
			_, err := s.Reconcile(w.t.Context(), l.reconcileAll(nil))
			w.logf("reconciled: %v", err)
		}
		l.round()
	}
	if w.fault == "" {
		l.finish()
	}
}

// round runs some clients.
func (w *contractWorld) round() {
	for range 2 + w.rng.IntN(2) {
		c := w.client()
		c.turns = 5
		w.start(c)
	}
	w.run()
}

// begin inserts the roots that others follow.
func (w *contractWorld) begin() {
	c := w.observer()
	s := w.open(c)
	for id := range int32(contractIDs) {
		c.current = &invocation{label: "begin", op: "Insert"}
		require.NoError(w.t, s.Clients.Insert(w.t.Context(), &contract.Client{ID: id, Name: "begin"}))
		require.NoError(w.t, s.Offices.Insert(w.t.Context(), &contract.Office{ID: id, Name: "begin"}))
	}
}

func (w *contractWorld) open(c *client) *contract.Store {
	config := c.config(0)
	config.FanOutInline = []int{-1, 1, 100}[w.rng.IntN(3)]
	s, err := contract.OpenBackend(w.t.Context(), c, config)
	require.NoError(w.t, err)
	return s
}

// start starts a client that changes roots of all tables, or reconciles them.
func (w *contractWorld) start(c *client) {
	s := w.open(c)
	clients := &rootClient[contract.Client]{client: c, w: w.roots["clients"], table: s.Clients, known: map[int32]*contract.Client{}}
	clients.fresh = func(id int32) contract.Client { return contract.Client{ID: id} }
	clients.version = func(v *contract.Client) int64 { return v.Version }
	clients.change = func(x *invocation, v *contract.Client) {
		v.Name += "+" + x.label
		v.City = c.pick("x")
	}
	offices := &rootClient[contract.Office]{client: c, w: w.roots["offices"], table: s.Offices, known: map[int32]*contract.Office{}}
	offices.fresh = func(id int32) contract.Office { return contract.Office{ID: id} }
	offices.version = func(v *contract.Office) int64 { return v.Version }
	offices.change = func(x *invocation, v *contract.Office) { v.Name += "+" + x.label }
	contracts := &rootClient[contract.Contract]{client: c, w: w.roots["contracts"], table: s.Contracts, known: map[int32]*contract.Contract{}}
	contracts.fresh = func(id int32) contract.Contract { return contract.Contract{ID: id} }
	contracts.version = func(v *contract.Contract) int64 { return v.Version }
	contracts.change = func(x *invocation, v *contract.Contract) {
		v.Name += "+" + x.label
		if w.chance(50) {
			v.Client, v.Agent, v.Heir, v.Office = int32(w.rng.IntN(contractIDs)), w.reference(15), w.reference(15), w.reference(60)
		}
		v.ClientName = "is overwritten"
	}
	targets := []string{"Insert", "Put", "Upsert", "Upsert", "Update", "Update", "Change", "Delete", "Delete", "DeleteAt"}
	clients.ops, offices.ops = targets, targets
	contracts.ops = []string{"Insert", "Put", "Put", "Upsert", "Upsert", "Update", "Update", "Change", "Delete"}
	w.world.start(c, func(x *invocation) {
		switch n := c.rng.IntN(20); {
		case n < 7:
			clients.call(x)
		case n < 11:
			offices.call(x)
		case n < 18:
			contracts.call(x)
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
func (w *contractWorld) reconcileAll(found func(mapper.Drift)) mapper.ReconcileConfig {
	c := w.reconcileConfig("", found)
	c.Tables = nil
	return c
}

// reference returns the key of a target in a number of 100 cases, and otherwise nil.
func (w *contractWorld) reference(percent int) *int32 {
	if !w.chance(percent) {
		return nil
	}
	return new(int32(w.rng.IntN(contractIDs)))
}

// checkSave checks a change that was applied, and the copies of all rows.
func (w *contractWorld) checkSave(a *plan.Aggregate, before, after *plan.State) {
	w.checkOutbox(w.roots[a.Root.Name], a, before, after)
	if after == nil && before.Outbox > 0 {
		w.failf("a row of %s was removed although its outbox is set", a.Root.Name)
	}
	if after.Exists() {
		w.last[rowOfTarget(a.Root.Name, after.Row[:1])] = after.Row
	}
	w.checkFollowing()
	w.checkListed()
}

// checkListed checks that the outboxes list each client that is being deleted.
func (w *contractWorld) checkListed() {
	a := w.aggregate(w.table("clients"))
	for id := range int32(contractIDs) {
		if s := w.stateOf(a, idKey(id)); s.Exists() && s.Deleting && w.listed(a, s) == 0 {
			w.failf("client %d is being deleted, and the outboxes do not list it", id)
		}
	}
}

// rowOfTarget names a row of a root that others follow.
func rowOfTarget(table string, key cell.Row) string { return fmt.Sprintf("%s %v", table, key) }

// checkFollowing checks that contracts have the last values of the roots that they follow, unless their outbox is set.
func (w *contractWorld) checkFollowing() {
	a := w.aggregate(w.table("contracts"))
	for id := range int32(contractIDs) {
		s := w.stateOf(a, idKey(id))
		refs, err := a.Refs(s)
		require.NoError(w.t, err)
		for _, ref := range refs {
			key := ref.TargetKey(ref.Key)
			target := w.stateOf(w.aggregate(w.table(ref.Target)), key)
			if !target.Exists() && ref.OnDelete != descriptor.Keep {
				w.failf("contract %d refers by %s to %v, which does not exist", id, ref.Field, key)
			}
			served := target == nil || target.Outbox == 0 || w.fannedOut
			if stale := ref.Stale(a.Root, s.Row, w.last[rowOfTarget(ref.Target, key)]); served && stale != nil {
				w.failf("contract %d has other values than %s %v, whose outbox is clear: %v", id, ref.Target, key, stale)
			}
		}
	}
}

// finish ends all deletions, serves all outboxes, and compares the tables.
func (w *contractWorld) finish() {
	(&libraryWorld{w.world, w.roots}).checkResults()
	w.land()
	w.now += 2*w.skew + mapper.DefaultLease.Microseconds() + int64(w.rng.IntN(1_000_000))
	s := w.open(w.observer())
	if w.chance(50) {
		if err := s.FanOut(w.t.Context(), mapper.FanOutConfig{}); err != nil {
			w.failf("fan-out: %v", err)
		}
		w.fannedOut = true
		w.checkFollowing()
		w.now += 2*w.skew + mapper.DefaultLease.Microseconds() // it can have raised the version of a root that is being deleted
	}
	for run := range 2 {
		w.reconcile(s, run)
		w.now += 2 * time.Second.Microseconds()
	}
	w.checkOutboxes()
	(&libraryWorld{w.world, w.roots}).checkReverseTables()
	copies := projections{}
	for _, r := range w.rows("contracts") {
		copies.one("contracts_by_city", r, r.cell("client_city") != nil, "client_city", "id", "client_name")
	}
	w.compare(copies, "contracts_by_city")
	w.now += (w.gcGrace + 24*time.Hour).Microseconds()
	w.reconcile(s, 1)
	w.checkFollowing()
	for table := range w.roots {
		for id := range int32(contractIDs) {
			if s := w.stateOf(w.aggregate(w.table(table)), idKey(id)); s != nil && s.Deleted {
				w.failf("%s %d is deleted, and was not removed", table, id)
			}
		}
	}
}

// reconcile runs Reconcile, which finds something only in its first run.
func (w *contractWorld) reconcile(s *contract.Store, run int) {
	report, err := s.Reconcile(w.t.Context(), w.reconcileAll(func(d mapper.Drift) {
		if w.logf("found %+v", d); run > 0 {
			w.failf("the second run of Reconcile has found %+v", d)
		}
	}))
	w.checkRun(run, report, err)
}

// checkOutboxes checks that no outbox is set or listed.
func (w *contractWorld) checkOutboxes() {
	for _, table := range []string{"clients", "offices"} {
		for id := range int32(contractIDs) {
			if s := w.stateOf(w.aggregate(w.table(table)), idKey(id)); s != nil && s.Outbox > 0 {
				w.failf("the outbox of %s %d is set", table, id)
			}
		}
	}
	if rows := w.rows("aml_outboxes"); len(rows) > 0 {
		w.failf("the outboxes have %d rows", len(rows))
	}
}
