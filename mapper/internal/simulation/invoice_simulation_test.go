package simulation

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/internal/work"
)

// TestFollowSchedules runs clients that save invoices with copies of fields of customers and sellers, change and delete these, and reconcile, with
// the faults of TestSchedules. At no instant does an invoice refer to a root that does not exist, or have other values than a root whose outbox is
// clear; and at no instant is an outbox set that the outboxes do not list. Versions grow, and results agree with what was applied. At the end one run
// of Reconcile serves all outboxes, ends all deletions, and leaves the rows of the reverse tables that follow from the roots; the next run finds nothing.
func TestFollowSchedules(t *testing.T) {
	simulate(t, 2, playInvoices)
}

// invoiceWorld is a world in which clients change roots, of which some have copies of fields of others.
type invoiceWorld struct {
	*world
	roots map[string]*rootWorld // by table

	hot       bool         // most calls change one customer that all invoices follow, or fan out: several processes share one fan-out
	share     *work.Shared // the leases of fan-outs
	fannedOut bool         // FanOut has ended, and nothing was saved since: an outbox that is still set has nothing to serve
}

const invoiceIDs = 2

func playInvoices(w *world) {
	l := &invoiceWorld{world: w, roots: map[string]*rootWorld{}}
	l.hot = w.chance(40)
	l.share = work.NewShared([]time.Duration{100 * time.Millisecond, time.Second, time.Minute}[w.rng.IntN(3)], func() time.Duration { return time.Duration(w.now) * time.Microsecond })
	for _, table := range []string{"customers", "sellers", "invoices"} {
		l.roots[table] = &rootWorld{world: w, table: table, ids: invoiceIDs, values: func(named) []string { return nil }, lookups: map[*lookup]bool{}}
	}
	w.applied, w.others = l.checkSave, invoice.Roots
	w.pages = true
	w.replicate()
	l.begin()
	for range 2 + w.rng.IntN(3) {
		c := w.client()
		c.turns = 5
		l.start(c)
	}
	if w.run(); w.fault == "" {
		l.finish(l.open(w.observer()))
		l.checkCopies()
	}
}

// begin inserts the roots that others follow.
func (w *invoiceWorld) begin() {
	c := w.observer()
	s := w.open(c)
	for id := range int32(invoiceIDs) {
		c.current = &invocation{label: "begin", op: "Insert"}
		require.NoError(w.t, s.Customers.Insert(w.t.Context(), &invoice.Customer{ID: id, Name: "begin"}))
		require.NoError(w.t, s.Sellers.Insert(w.t.Context(), &invoice.Seller{ID: id, Name: "begin"}))
	}
	for id := range int32(invoiceIDs) {
		if w.hot {
			c.current = &invocation{label: "begin", op: "Insert"}
			require.NoError(w.t, s.Invoices.Insert(w.t.Context(), &invoice.Invoice{ID: id, Guest: new(int32(0))}))
		}
	}
}

func (w *invoiceWorld) open(c *client) *invoice.Store {
	config := c.config(0)
	config.FanOutInline = []int{-1, 1, 100}[w.rng.IntN(3)]
	if w.hot {
		config.FanOutInline, config.Lease = 1, 10*time.Millisecond
	}
	c.openJob = func(_ context.Context, job work.Job) (*work.Queue, error) {
		return w.share.Open(job, func(context.Context) error { return c.request() }, c.await)
	}
	s, err := invoice.OpenBackend(w.t.Context(), c, config)
	require.NoError(w.t, err)
	return s
}

// start starts a client that changes roots of all tables, or reconciles them.
func (w *invoiceWorld) start(c *client) {
	s := w.open(c)
	customers := &rootClient[invoice.Customer]{client: c, w: w.roots["customers"], table: s.Customers, known: map[int32]*invoice.Customer{}}
	customers.fresh = func(id int32) invoice.Customer { return invoice.Customer{ID: id} }
	customers.version = func(v *invoice.Customer) int64 { return v.Version }
	customers.change = func(x *invocation, v *invoice.Customer) {
		v.Name += "+" + x.label
		v.City = c.pick("x")
	}
	sellers := &rootClient[invoice.Seller]{client: c, w: w.roots["sellers"], table: s.Sellers, known: map[int32]*invoice.Seller{}}
	sellers.fresh = func(id int32) invoice.Seller { return invoice.Seller{ID: id} }
	sellers.version = func(v *invoice.Seller) int64 { return v.Version }
	sellers.change = func(x *invocation, v *invoice.Seller) {
		v.Name += "+" + x.label
		v.City = c.pick("x")
	}
	invoices := &rootClient[invoice.Invoice]{client: c, w: w.roots["invoices"], table: s.Invoices, known: map[int32]*invoice.Invoice{}}
	invoices.fresh = func(id int32) invoice.Invoice { return invoice.Invoice{ID: id} }
	invoices.version = func(v *invoice.Invoice) int64 { return v.Version }
	invoices.change = func(x *invocation, v *invoice.Invoice) {
		v.Name += "+" + x.label
		v.Payer, v.Guest, v.Seller = int32(w.rng.IntN(invoiceIDs)), w.reference(), w.reference()
		v.PayerName = "is overwritten"
	}
	targets := []string{"Insert", "Put", "Upsert", "Update", "Update", "Update", "Update", "Change", "Delete", "DeleteAt"}
	customers.ops, sellers.ops = targets, targets
	invoices.ops = []string{"Insert", "Put", "Put", "Upsert", "Upsert", "Update", "Change", "Delete", "DeleteAt"}
	w.world.start(c, func(x *invocation) {
		n := c.rng.IntN(20)
		switch {
		case w.hot && n < 8:
			x.id = 0
			customers.do(x, "Update")
		case w.hot && n < 18:
			x.op = "FanOut"
			x.err = s.FanOut(context.Background(), mapper.FanOutConfig{})
		case n < 7:
			customers.call(x)
		case n < 10:
			sellers.call(x)
		case n < 19:
			invoices.call(x)
		case c.chance(50):
			x.op = "FanOut"
			x.err = s.FanOut(context.Background(), mapper.FanOutConfig{})
		default:
			x.op = "Reconcile"
			_, x.err = s.Reconcile(context.Background(), w.reconcileAll(nil))
		}
	})
}

// reconcileAll returns the configuration of a run of Reconcile over all roots.
func (w *invoiceWorld) reconcileAll(found func(mapper.Drift)) mapper.ReconcileConfig {
	c := w.reconcileConfig("", found)
	c.Tables = nil
	return c
}

// reference returns the key of a target in a third of all cases, and otherwise nil.
func (w *invoiceWorld) reference() *int32 {
	if !w.chance(35) {
		return nil
	}
	return new(int32(w.rng.IntN(invoiceIDs)))
}

// checkRun checks the report of a run of Reconcile. A root that the first run has changed while its deletion had begun looks recent to it.
func (w *world) checkRun(run int, report *mapper.ReconcileReport, err error) {
	if err != nil || report.Repaired < report.Total() || run > 0 && report.TooRecent > 0 {
		w.failf("reconcile: %+v, %v", report, err)
	}
}

// checkOutbox checks a change of a root that was applied, and that its outbox is listed if it is set.
func (w *world) checkOutbox(r *rootWorld, a *plan.Aggregate, before, after *plan.State) {
	switch {
	case after != nil && before.CurrentVersion() == after.Version && before.Outbox > 0 && after.Outbox == 0: // it was served
	case after == nil || after.Version <= before.CurrentVersion() || len(after.Attempts) == 0 || before != nil && slices.Equal(before.Attempts, after.Attempts):
		r.checkSave(a, before, after) // a purge, or a save that only raises the version
	default:
		if r.live == nil {
			r.live = map[int64]bool{}
		}
		r.live[after.Version] = r.live[after.Version] || after.Exists() // another root can have the same version
		x := w.saves[lastAttempt(after)]
		if x != nil && x.root == a.Root.Name && plan.SameKey(idKey(x.id), after.Row, 1) && isOwn(a, x, before, after) {
			r.checkCall(a, x, before, after)
		}
	}
	if after == nil || after.Outbox == 0 {
		return
	}
	if w.listed(a, after) < after.Outbox {
		w.failf("%s has an outbox that the outboxes do not list", a.Root.Name)
	}
	if err := plan.PlanVersion(a, after, 0, plan.SaveOptions{}).Root.Check(); err != nil {
		w.failf("the version cannot be raised: %v", err)
	}
}

// checkSave checks a change that was applied, and the copies of all rows.
func (w *invoiceWorld) checkSave(a *plan.Aggregate, before, after *plan.State) {
	w.checkOutbox(w.roots[a.Root.Name], a, before, after)
	w.checkFollowing()
}

// listed returns the version at which the outboxes list a root; 0: they do not.
func (w *world) listed(a *plan.Aggregate, s *plan.State) plan.Version {
	row, err := w.db.Row(w.t.Context(), &store.Lookup{Read: store.Read{Table: a.Versioning.Outboxes, Key: a.OutboxKey(s.Row)}})
	if row == nil || err != nil {
		return 0
	}
	at, err := plan.DecodeBigint(row[3])
	require.NoError(w.t, err)
	return at
}

// checkFollowing checks that the targets of all references exist, and that their holders have their values unless their outbox is set.
func (w *invoiceWorld) checkFollowing() {
	for table := range w.roots {
		for id := range int32(invoiceIDs) {
			w.checkHolder(w.aggregate(w.table(table)), id)
		}
	}
}

func (w *invoiceWorld) checkHolder(a *plan.Aggregate, id int32) {
	s := w.stateOf(a, idKey(id))
	refs, err := a.Refs(s)
	require.NoError(w.t, err)
	for _, ref := range refs {
		target := w.stateOf(w.aggregate(w.table(ref.Target)), ref.TargetKey(ref.Key))
		if !target.Exists() {
			w.failf("%s %d refers by %s to %v, which does not exist", a.Root.Name, id, ref.Field, ref.TargetKey(ref.Key))
		} else if stale := ref.Stale(a.Root, s.Row, target.Row); (target.Outbox == 0 || w.fannedOut) && stale != nil {
			w.failf("%s %d has other values than %s %v, whose outbox is clear: %v", a.Root.Name, id, ref.Target, ref.TargetKey(ref.Key), stale)
		}
	}
}

// following is the store of a model with copies.
type following interface {
	FanOut(ctx context.Context, c mapper.FanOutConfig) error
	Reconcile(ctx context.Context, c mapper.ReconcileConfig) (*mapper.ReconcileReport, error)
}

// finish ends all deletions, serves all outboxes, and compares the tables.
func (w *invoiceWorld) finish(s following) {
	(&libraryWorld{w.world, w.roots}).checkResults()
	w.land()
	w.now += 2*w.skew + mapper.DefaultLease.Microseconds() + int64(w.rng.IntN(1_000_000))
	if w.chance(50) {
		if err := s.FanOut(w.t.Context(), mapper.FanOutConfig{}); err != nil {
			w.failf("fan-out: %v", err)
		}
		w.fannedOut = true
		w.checkFollowing()
		w.now += 2*w.skew + mapper.DefaultLease.Microseconds() // it can have raised the version of a root that is being deleted
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
	w.checkOutboxes()
	(&libraryWorld{w.world, w.roots}).checkReverseTables()
}

// checkCopies checks the redundant rows of invoices.
func (w *invoiceWorld) checkCopies() {
	copies := projections{}
	for _, r := range w.rows("invoices") {
		copies.one("invoices_by_city", r, r.cell("payer_city") != nil, "payer_city", "id", "payer_name")
	}
	w.compare(copies, "invoices_by_city")
}

// checkOutboxes checks that no outbox is set or listed.
func (w *invoiceWorld) checkOutboxes() {
	for table := range w.roots {
		for id := range int32(invoiceIDs) {
			if s := w.stateOf(w.aggregate(w.table(table)), idKey(id)); s != nil && s.Outbox > 0 {
				w.failf("the outbox of %s %d is set", table, id)
			}
		}
	}
	if rows := w.rows("aml_outboxes"); len(rows) > 0 {
		w.failf("the outboxes have %d rows", len(rows))
	}
}
