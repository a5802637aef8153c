package simulation

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/lease"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

const aSecond = int64(1_000_000)

// lockTTL is the TTL of a lock, and serverSkew the greatest difference between the clocks of two servers.
const (
	lockTTL    = 30 * aSecond
	serverSkew = 2 * aSecond
)

// TestLockSchedules runs clients that acquire, renew and release locks whose rows expire. Any time can pass before any request, requests are
// late, lost and repeated, clients die, and the clocks of the servers differ by up to 2 s. In every schedule saves are linearizable, and an
// expired row is a deleted row. A client counts the time of its lock from before it has sent the acquisition or the renewal, and stops a
// second and the difference of the servers' clocks before the TTL ends: so no two clients hold one lock. The versions that acquiring calls
// have set, the fencing tokens, grow.
func TestLockSchedules(t *testing.T) {
	simulate(t, 3, playLocks)
}

// lockWorld is a world in which clients hold locks.
type lockWorld struct {
	*rootWorld
	locks    []*lockClient
	acquired []acquisition // that have returned nil
}

// acquisition is a call that has acquired a lock.
type acquisition struct {
	holder       *lockClient
	id           int32
	token        int64
	began, ended int64 // of the call
	until        int64 // the end of the time in which the holder works
}

// lockClient is a client that holds at most one lock.
type lockClient struct {
	*client
	w     *lockWorld
	table lease.LocksTable
	held  *acquisition // nil: none
	last  int64        // the version of the row after the last renewal
}

func playLocks(w *world) {
	l := &lockWorld{rootWorld: &rootWorld{world: w, table: "locks", ids: 1 + w.rng.IntN(5)/4, lookups: map[*lookup]bool{}}}
	l.values = func(named) []string { return nil }
	w.applied, w.others = l.checkSave, []*descriptor.Aggregate{lease.Locks.Aggregate}
	w.jump, w.servers, w.stalling = []int64{lockTTL / 4, lockTTL + 2*aSecond, 3 * lockTTL}[w.rng.IntN(3)], serverSkew, lockTTL
	for range 3 {
		c := w.client()
		c.turns = 8
		s, err := lease.OpenBackend(w.t.Context(), c, c.config(0))
		require.NoError(w.t, err)
		holder := &lockClient{client: c, w: l, table: s.Locks}
		l.locks = append(l.locks, holder)
		w.start(c, holder.call)
	}
	if w.run(); w.fault == "" {
		l.checkResults()
	}
}

// call is a step of a program that works while it holds a lock.
func (c *lockClient) call(x *invocation) {
	x.saves = true
	switch {
	case c.held == nil || c.held.until <= c.w.now:
		c.acquire(x)
	case c.chance(75):
		c.renew(x)
	default:
		c.release(x)
	}
}

func (c *lockClient) acquire(x *invocation) {
	x.op, x.id = "Insert", int32(c.rng.IntN(c.w.ids))
	c.held = nil
	began := c.w.now
	v := &lease.Lock{ID: x.id, Name: c.name}
	found, err := c.table.InsertOrGet(context.Background(), v)
	x.err, x.found = err, found != nil
	if err != nil || found != nil {
		return
	}
	c.held = &acquisition{id: x.id, token: v.Version, began: began, ended: c.w.now, holder: c}
	c.last = v.Version
	c.hold(began)
	c.w.check(c.held)
	c.w.acquired = append(c.w.acquired, *c.held)
}

// hold sets the time until which the client works, from the time before it has sent the request.
func (c *lockClient) hold(began int64) {
	c.held.until = began + lockTTL - aSecond - serverSkew
	for _, other := range c.w.holders() {
		if other != c.held && other.id == c.held.id && c.held.until > c.w.now {
			c.w.failf("%s and %s hold lock %d", c.name, other.holder.name, c.held.id)
		}
	}
}

// check compares the token of an acquisition with those before it.
func (w *lockWorld) check(a *acquisition) {
	for _, b := range w.acquired {
		if b.id == a.id && b.ended < a.began && b.token >= a.token {
			w.failf("token %d of %s follows %d of %s", a.token, a.holder.name, b.token, b.holder.name)
		}
	}
}

// holders returns what clients hold now.
func (w *lockWorld) holders() (out []*acquisition) {
	for _, c := range w.locks {
		if c.held != nil && c.held.until > w.now && !c.dead {
			out = append(out, c.held)
		}
	}
	return out
}

var errLost = errors.New("another client has the lock")

func (c *lockClient) renew(x *invocation) {
	x.op, x.id = "Update", c.held.id
	began := c.w.now
	v, err := c.table.Update(context.Background(), x.id, func(v *lease.Lock) error {
		if !strings.HasPrefix(v.Name, c.name) {
			return errLost
		}
		v.Name += "+" + x.label
		return nil
	})
	if x.err = err; err == nil {
		c.last = v.Version
		c.hold(began)
	}
}

func (c *lockClient) release(x *invocation) {
	x.op, x.id, x.version = "DeleteAt", c.held.id, c.last
	c.held = nil // before the lock can be free
	x.err = c.table.DeleteAt(context.Background(), x.id, x.version)
}

// TestSessionSchedules runs clients of a versioned root whose rows expire and that has redundant tables, with the faults of TestLockSchedules.
// In every schedule saves are linearizable and an expired row is a deleted row. At the end the copies of rows that have not expired are their
// projections after one run of Reconcile, and the next run finds nothing; rows that expire within a minute are left to expire. When all
// rows have expired, nothing is left and nothing is found.
func TestSessionSchedules(t *testing.T) {
	simulate(t, 3, func(w *world) {
		playSessions(w)
	})
}

const sessionTTL = 600 * aSecond

func playSessions(w *world) {
	l := &rootWorld{world: w, table: "sessions", ids: 2, lookups: map[*lookup]bool{}}
	l.values = func(named) []string { return nil }
	w.applied = l.checkSave
	w.jump, w.servers, w.stalling = []int64{sessionTTL / 8, sessionTTL + aSecond, 2 * sessionTTL}[w.rng.IntN(3)], serverSkew, sessionTTL/2
	for range 3 {
		c := w.client()
		s, err := lease.OpenBackend(w.t.Context(), c, c.config(0))
		require.NoError(w.t, err)
		writer := &rootClient[lease.Session]{client: c, w: l, table: s.Sessions, known: map[int32]*lease.Session{}}
		writer.fresh = func(id int32) lease.Session { return lease.Session{ID: id} }
		writer.version = func(v *lease.Session) int64 { return v.Version }
		writer.change = func(x *invocation, v *lease.Session) {
			v.Name += "+" + x.label
			if c.chance(50) {
				v.Worker = c.pick("w")
			}
			if c.chance(50) {
				v.Notes = map[string]string{}
				if n := c.pick("n"); n != nil {
					v.Notes[*n] = x.label
				}
			}
		}
		w.start(c, writer.call)
	}
	if w.run(); w.fault != "" {
		return
	}
	l.checkResults()
	w.land()
	w.jump, w.servers, w.server = 0, 0, 0
	l.checkSessions()
}

// checkSessions compares the copies with the rows, before and after all of them have expired.
func (w *rootWorld) checkSessions() {
	w.reconcileSessions()
	if found := w.reconcileSessions(); found > 0 {
		w.failf("the second run of Reconcile has found %d", found)
	}
	want, ending := projections{}, map[string]bool{} // the roots that expire within a minute: a copy that arrived late can remain longer, until the next run
	for _, r := range w.rows("sessions") {
		want.one("sessions_of_worker", r, r.cell("worker") != nil, "worker", "id", "name")
		ending[string(r.cell("id"))] = w.expiresSoon("sessions", r)
	}
	for _, r := range w.rows("sessions_of_worker") {
		if !ending[string(r.cell("id"))] && !w.expiresSoon("sessions_of_worker", r) && !slices.Contains(want["sessions_of_worker"], rowText(r.row)) {
			w.failf("sessions_of_worker has %s, but not %v", rowText(r.row), want)
		}
	}
	w.now += 2 * sessionTTL
	if found := w.reconcileSessions(); found > 0 {
		w.failf("Reconcile has found %d after all rows have expired", found)
	}
	for _, table := range []string{"sessions", "sessions_of_worker", "session_notes"} {
		if rows := w.rows(table); len(rows) > 0 {
			w.failf("%s has %v", table, rows)
		}
	}
	w.now += 2*sessionTTL + w.gcGrace.Microseconds()
	for _, table := range []string{"sessions", "sessions__sync"} {
		for row := range w.db.Rows(w.t.Context(), store.Read{Table: w.world.table(table)}) {
			w.failf("%s keeps %s", table, rowText(row))
		}
	}
}

// expiresSoon reports whether a row expires within a minute.
func (w *rootWorld) expiresSoon(table string, r named) bool {
	cells, err := w.backend.Cells(table)
	require.NoError(w.t, err)
	return slices.ContainsFunc(cells, func(c memory.Cell) bool { return c.Key == r.t.KeyText(r.row) && c.TTL <= 60 })
}

// reconcileSessions runs Reconcile, and returns the number of findings.
func (w *rootWorld) reconcileSessions() (found int) {
	c := w.observer()
	s, err := lease.OpenBackend(w.t.Context(), c, c.config(0))
	require.NoError(w.t, err)
	report, err := s.Reconcile(w.t.Context(), w.reconcileConfig("sessions", func(d mapper.Drift) {
		w.logf("found %+v", d)
		found++
	}))
	if err != nil {
		w.failf("reconcile: %v, %+v", err, report)
	}
	return found
}
