package simulation

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
)

var preempted = flag.Int("preemptions", 1, "random schedules of two calls, for each pair of calls, each initial state and each order; 0: all schedules with up to two preemptions, without faults")

// preemptedRun is a schedule of two calls, which begin after the same preparation.
type preemptedRun struct {
	name     string // of the calls and of the state before them
	seed     uint64
	strategy *preemptions
	play     func(w *world, p *preemptions) // starts the clients of p and runs them
}

// run runs the schedule. If it finds a fault, it prints the requests.
func (r *preemptedRun) run(t *testing.T) {
	t.Helper()
	given := *r.strategy
	w := newWorld(t, r.seed)
	r.play(w, r.strategy)
	if w.fault == "" {
		return
	}
	again := newWorld(t, r.seed)
	again.traced = true
	r.play(again, &given)
	t.Log(strings.Join(again.trace, "\n"))
	require.Equal(t, w.fault, again.fault, "a schedule is deterministic")
	require.Empty(t, w.fault, "%s, seed %d, preempted after %d steps, fault %+v", r.name, r.seed, given.after, given.fault)
}

// preempt runs schedules of two calls with up to two preemptions: all of them, or some random ones, of which most have a fault.
func preempt(t *testing.T, r *preemptedRun) {
	t.Helper()
	if *preempted == 0 {
		preemptAll(t, r)
		return
	}
	rng := rand.New(rand.NewPCG(*from, r.seed))
	for range *preempted {
		r.strategy = &preemptions{after: [2]int{1 + rng.IntN(12), 1 + rng.IntN(12)}}
		r.strategy.fault = fault{faultKind(rng.IntN(int(faultKinds))), rng.IntN(2), 1 + rng.IntN(12)}
		r.seed = r.seed%1e6 + 1e6*(1+rng.Uint64N(1e6))
		r.run(t)
	}
}

// preemptAll runs all schedules. A client that ends before it would be preempted ends the enumeration.
func preemptAll(t *testing.T, r *preemptedRun) {
	t.Helper()
	for i, begun := 1, true; begun; i++ {
		for j, again := 1, true; again; j++ {
			r.strategy = &preemptions{after: [2]int{i, j}}
			r.run(t)
			begun, again = r.strategy.turn >= 1, r.strategy.turn == 2
		}
	}
}

// TestPreemptedCalls runs two clients that make one call each, of all kinds of TestMixedSchedules. For each pair of calls, and for each state
// before them, the client that begins is preempted once or twice. The rest is as in TestMixedSchedules.
func TestPreemptedCalls(t *testing.T) {
	calls := slices.Compact(slices.Sorted(slices.Values(mixedCalls)))
	n := uint64(0)
	for _, first := range calls {
		for _, second := range calls {
			for state := range mixedStates {
				n++
				preempt(t, &preemptedRun{
					name: fmt.Sprintf("%s, then %s, state %d", first, second, state), seed: *from*1e4 + n,
					play: func(w *world, p *preemptions) { playPair(w, p, [2]string{first, second}, state) },
				})
			}
		}
	}
}

// playPair runs two calls of customers.
func playPair(w *world, p *preemptions, calls [2]string, state int) {
	w.values = 1
	m := newMixedWorld(w, 60, 0)
	m.share = m.newShare()
	m.prepare(state)
	var clients [2]*mixedClient
	for i := range clients {
		clients[i] = m.client()
		c := clients[i].client
		c.rng, c.turns = rand.New(rand.NewPCG(w.seed, uint64(i))), 1
		m.know(clients[i])
		p.clients[i] = c
	}
	w.strategy = p
	for i, c := range clients {
		id := int32(c.rng.IntN(customerIDs)) // mostly that of the first client
		w.start(c.client, func(x *invocation) { m.do(c, x, calls[i], id*int32(i*c.rng.IntN(2))) })
	}
	if w.run(); w.fault == "" {
		w.strategy = nil
		m.finish()
	}
}

// mixedStates is the number of states that prepare makes.
const mixedStates = 4

// prepare makes a state: no customers; a customer with all values and one without; a deleted customer; a customer whose Update has ended
// when its client died.
func (m *mixedWorld) prepare(state int) {
	if state == 0 {
		return
	}
	m.save("Insert", 0, new(preemptions), garage.Customer{Email: new("e1"), City: new("x1"), Vehicles: []string{"p1"}})
	switch state {
	case 1:
		m.save("Insert", 1, new(preemptions), garage.Customer{})
	case 2:
		m.save("Delete", 0, new(preemptions), garage.Customer{})
	case 3:
		dies := &preemptions{fault: fault{clientDies, 0, 1 + m.rng.IntN(6)}}
		m.save("Update", 0, dies, garage.Customer{Vehicles: []string{"p1"}})
	}
}

// save saves a customer with given values, as a call that does not overlap others. Its client dies if the strategy decides so.
func (m *mixedWorld) save(op string, id int32, faults *preemptions, v garage.Customer) {
	c := m.client()
	m.know(c)
	c.turns, c.fixed = 1, &v
	chosen := m.strategy
	faults.clients[0], m.strategy = c.client, faults
	m.start(c.client, func(x *invocation) { m.do(c, x, op, id) })
	m.run()
	m.strategy = chosen
}

// know makes a client know the customers as they are.
func (m *mixedWorld) know(c *mixedClient) {
	truth := m.open(m.observer()).Customers
	for id := range int32(customerIDs) {
		if v, err := truth.Get(m.t.Context(), id); err == nil {
			c.known[id] = v
		}
	}
}

// TestPreemptedPartCalls is TestPreemptedCalls for all calls of a versioned root with parts. The rest is as in TestPartSchedules.
func TestPreemptedPartCalls(t *testing.T) {
	calls := []string{"Insert", "Put", "Delete", "DeleteAt", "Append", "Update", "GetWith", "Reconcile"}
	n := uint64(0)
	for _, first := range calls {
		for _, second := range calls {
			for state := range partStates {
				n++
				preempt(t, &preemptedRun{
					name: fmt.Sprintf("%s, then %s, state %d", first, second, state), seed: *from*1e4 + n,
					play: func(w *world, p *preemptions) { playPartPair(w, p, [2]string{first, second}, state) },
				})
			}
		}
	}
}

// partStates is the number of states before the calls of TestPreemptedPartCalls: no auction; one with bids; a deleted one.
const partStates = 3

// playPartPair runs two calls of auctions.
func playPartPair(w *world, p *preemptions, calls [2]string, state int) {
	b := newBidWorld(w, false)
	setup := &bidClient{client: w.observer(), w: b}
	setup.store = b.open(setup.client)
	for _, op := range []string{"Insert", "Delete"}[:state] {
		x := &invocation{label: "setup"}
		setup.current = x
		setup.do(x, op)
		require.NoError(w.t, x.err)
	}
	var clients [2]*bidClient
	for i := range clients {
		c := &bidClient{client: w.client(), w: b}
		c.store = b.open(c.client)
		c.rng, c.turns, p.clients[i], clients[i] = rand.New(rand.NewPCG(w.seed, uint64(i))), 1, c.client, c
		if a, err := b.truth.Get(w.t.Context(), 0); err == nil {
			c.known[0] = a.Version
		}
	}
	w.strategy = p
	for i, c := range clients {
		id := int32(c.rng.IntN(2) * c.rng.IntN(2) * i) // mostly that of the first client
		w.start(c.client, func(x *invocation) { x.id = id; c.do(x, calls[i]) })
	}
	if w.run(); w.fault == "" {
		w.strategy = nil
		b.finish()
	}
}

// TestPreemptedPlainCalls is TestPreemptedCalls for a client that changes a plain root and one that reconciles all roots or this one. As in
// TestReconcileBesideOneWriter, the client that changes roots repeats a request until its outcome is known, and the copies are right although
// no run follows.
func TestPreemptedPlainCalls(t *testing.T) {
	n := uint64(0)
	for _, change := range []string{"Insert", "Put", "Delete", "Change", "Update"} {
		for _, other := range []string{"Reconcile", "ReconcileRow"} {
			for order := range 2 {
				n++
				preempt(t, &preemptedRun{
					name: fmt.Sprintf("%s and %s, order %d", change, other, order), seed: *from*1e4 + n,
					play: func(w *world, p *preemptions) { playPlainPair(w, p, change, other, order) },
				})
			}
		}
	}
}

// playPlainPair runs a call that changes a mechanic and one that reconciles the tables, in one of two orders.
func playPlainPair(w *world, p *preemptions, change, other string, order int) {
	m := &overlappingWorld{w}
	writer := &overlappingClient{client: w.observer(), known: map[int32]*garage.Mechanic{}, own: new(int32)}
	writer.table = m.open(writer.client).Mechanics
	var values []*garage.Mechanic
	for i := range w.rng.IntN(3) {
		if change == "Insert" {
			break // the identifier must be new
		}
		v := writer.changed(garage.Mechanic{})
		values = append(values, v)
		writer.do(new(invocation), []string{"Put", "Update"}[i], v)
		w.now += 2 * maxSkew
	}
	pair := [2]*client{w.client(), w.client()}
	for i, c := range pair {
		c.rng, c.turns, p.clients[(i+order)%2] = rand.New(rand.NewPCG(w.seed, uint64(i))), 1, c
	}
	if p.fault.kind == clientDies {
		p.fault.kind = answerIsLost
	}
	w.strategy, writer.client = p, pair[0]
	store := m.open(pair[1])
	writer.table = m.open(pair[0]).Mechanics
	w.start(pair[0], func(x *invocation) { writer.do(x, change, writer.changed(garage.Mechanic{})) })
	w.start(pair[1], func(x *invocation) {
		switch x.op = other; other {
		case "Reconcile":
			_, x.err = store.Reconcile(w.t.Context(), w.reconcileConfig("mechanics", nil))
		default:
			_, x.err = store.Mechanics.Reconcile(w.t.Context(), 0, mapper.ReconcileConfig{}, values...)
		}
	})
	if w.run(); w.fault == "" {
		w.land()
		m.checkCopies()
	}
}
