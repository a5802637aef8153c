package simulation

import (
	"math/rand/v2"
	"slices"
)

// strategy chooses the next step of a world in which calls can overlap.
type strategy interface {
	// step carries out a late request, or runs one of the waiting clients until its next request.
	step(w *world, waiting []*client)
}

// priorities runs the client with the highest priority of those that wait. Each client has a random priority, and so has the network,
// which carries out late requests. At a few random steps, the one that has just run gets the lowest priority. This is probabilistic
// concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, 2010): a fault that needs d steps in a certain order is found with a
// probability of at least 1/(n*k^(d-1)) in each schedule, of n clients and k steps. The random walk finds it less often, the longer a
// client has to wait.
type priorities struct {
	rng     *rand.Rand
	of      map[*client]int64 // nil is the network
	changes map[int]bool      // the steps before which the one that has run last gets the lowest priority
	steps   int
	last    *client
}

const maxDepth = 5 // the number of priority changes of a schedule is less

func newPriorities(w *world) strategy {
	p := &priorities{rng: rand.New(rand.NewPCG(w.seed, 1)), of: map[*client]int64{}, changes: map[int]bool{}}
	steps := []int{15, 60, 250}[p.rng.IntN(3)]
	for range p.rng.IntN(maxDepth) {
		p.changes[1+p.rng.IntN(steps)] = true
	}
	return p
}

func (p *priorities) step(w *world, waiting []*client) {
	p.steps++
	if p.changes[p.steps] {
		p.of[p.last] = -int64(p.steps)
		w.now += int64(p.rng.IntN(2) * p.rng.IntN(8_000_000))
	}
	candidates := waiting
	if len(w.late) > 0 {
		candidates = append(candidates, nil)
	}
	c := candidates[0]
	for _, o := range candidates[1:] {
		if p.priority(o) > p.priority(c) {
			c = o
		}
	}
	if p.last = c; c == nil {
		w.carryOut(w.rng.IntN(len(w.late)))
		return
	}
	w.turn(c)
}

// priority returns the priority of a client, or of the network.
func (p *priorities) priority(c *client) int64 {
	if _, known := p.of[c]; !known {
		p.of[c] = p.rng.Int64()
	}
	return p.of[c]
}

// outcomes are numbers below 100, each of which is the outcome of a request of one kind.
type outcomes struct{ done, lost, unanswered, late int }

var (
	batchOutcomes   = outcomes{done: 0, lost: 75, unanswered: 97, late: 90}
	decidedOutcomes = outcomes{done: 0, lost: 97, unanswered: 87, late: 92}
	readOutcomes    = outcomes{done: 99, lost: 0, unanswered: 0, late: 0}
)

// outcome returns the outcome of a request: a random one, or that of the script.
func (c *client) outcome(of outcomes) int {
	if s, scripted := c.w.strategy.(*preemptions); scripted {
		return s.outcome(c, of)
	}
	if of == readOutcomes {
		return c.w.rng.IntN(50)
	}
	if of == decidedOutcomes && c.unheard > 0 && c.w.chance(c.unheard) {
		return of.unanswered
	}
	return c.w.rng.IntN(100)
}

// preemptions runs two clients, of which each makes one call. The one that begins is preempted after some steps, and the other one after
// some steps, too; then the first one runs to its end. One request can have another outcome than that it is carried out and answered.
type preemptions struct {
	clients [2]*client // in the order in which they begin
	after   [2]int     // how many steps each makes before it is preempted
	fault   fault
	turn    int // how many times the client has changed
	ran     int // steps since then
	sent    [2]int
}

// fault is what happens to the request of a client with a number, which begins with 1.
type fault struct {
	kind            faultKind
	client, request int
}

type faultKind int

const (
	noFault       faultKind = iota
	requestIsLost           // it is not carried out
	answerIsLost            // it is carried out
	requestIsLate           // it is carried out later, or never
	clientDies              // it is carried out, and its client dies
	faultKinds
)

func (p *preemptions) step(w *world, waiting []*client) {
	if p.turn < len(p.after) && p.ran >= p.after[p.turn] {
		p.turn, p.ran = p.turn+1, 0
	}
	c := p.clients[p.turn%2]
	if c == nil || !c.waiting {
		c = waiting[0]
	}
	p.ran++
	w.let(c)
}

// outcome returns the outcome of a request of a client.
func (p *preemptions) outcome(c *client, of outcomes) int {
	i := slices.Index(p.clients[:], c)
	if i < 0 {
		return of.done
	}
	p.sent[i]++
	if p.fault.client != i || p.fault.request != p.sent[i] {
		return of.done
	}
	switch p.fault.kind {
	case requestIsLost:
		return of.lost
	case answerIsLost:
		return of.unanswered
	case requestIsLate:
		return of.late
	case clientDies:
		c.dead = true
	}
	return of.done
}
