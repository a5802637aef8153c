package simulation

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/internal/work"
)

// client is a program that makes one call at a time, and the database as this program sees it: a backend for generated stores.
type client struct {
	w         *world
	name      string
	skew      int64 // of its clock, in microseconds
	clock     *store.Clock
	resume    func() (struct{}, bool) // runs the client until it waits again, or ends
	park      func(struct{}) bool     // waits
	waiting   bool
	idle      bool // it waits, and is not in a call
	dead      bool
	calm      bool  // it does not wait for its turn, and its requests do not fail
	until     int64 // the client stalls until then
	budget    int   // the number of attempts of a request or a save
	calls     []*invocation
	current   *invocation
	writes    int                                                  // the number of requests that write
	requests  int                                                  // the number of requests
	unknown   int                                                  // the number of batches of unknown outcome, or not sent by a patient client, since the last acknowledged one
	rng       *rand.Rand                                           // chooses its calls; that of the world, unless the schedule is given
	schema    *descriptor.Schema                                   // of the store that it has opened last
	truncated string                                               // a table that is emptied after its writes; "" for none
	unheard   int                                                  // in how many of 100 cases a conditional request has no answer, in addition to the other faults
	noAnswer  bool                                                 // its last conditional request had no answer
	turns     int                                                  // the number of its calls; 0: some
	openJob   func(context.Context, work.Job) (*work.Queue, error) // the jobs that it shares with others; nil: those of the world
	centre    *centre                                              // in which it reads; nil: its reads see everything
	mute      bool                                                 // its batches are lost
	// fate decides what happens to a conditional statement. Nil: it is random; a calm client's statements are carried out.
	fate func(t *plan.Table) fate
	// paused is called when a calm client waits before it makes another attempt. Nil: nothing.
	paused func()
}

// fate is what happens to a conditional statement.
type fate int

const (
	carriedOut  fate = 0
	lostAnswer  fate = 85
	lateRequest fate = 90
	lostRequest fate = 95

	refusedRequest fate = 100
)

var (
	_ store.Backend     = (*client)(nil)
	_ store.Store       = (*client)(nil)
	_ store.Environment = (*client)(nil)
	_ store.Graced      = (*client)(nil)
)

// call is a call of a store.
type invocation struct {
	label   string
	op      string
	root    string // the table of the root that it changes; "": the only one
	id      int32
	effect  any   // of its next attempt
	saves   bool  // it saves a root
	version int64 // the root must have; 0: any
	applied int   // the number of its saves that were applied
	err     error
	ended   bool
	exists  bool // whether the function of its last attempt had a row
	found   bool // InsertOrGet has returned a row
	missed  bool // a read has missed what was saved before
}

// client returns a client with a random clock.
func (w *world) client() *client {
	return w.newClient(fmt.Sprintf("c%d", len(w.clients)), w.rng.Int64N(2*w.skew)-w.skew)
}

// observer returns a client whose requests do not fail, for checks.
func (w *world) observer() *client {
	c := w.newClient("observer", 0)
	c.calm, c.budget = true, 1000
	return c
}

func (w *world) newClient(name string, skew int64) *client {
	c := &client{w: w, name: name, skew: skew, rng: w.rng}
	c.clock = store.NewClock(c.Now, 0)
	if len(w.centres) > 0 && name != "observer" {
		c.centre = w.centres[w.rng.IntN(len(w.centres))]
	}
	return c
}

// config returns the configuration of a store. A call is never ended by the true time.
func (c *client) config(batchLimit int) mapper.Config {
	return mapper.Config{MaxClockSkew: -1, Timeout: 30 * time.Minute, BatchLimit: batchLimit, Logger: discardLogger}
}

// main makes some calls of random rows.
func (c *client) main(do func(*invocation)) {
	if c.turns == 0 {
		c.turns = 2 + c.w.rng.IntN(4)
	}
	for i := range c.turns {
		c.idle = true
		c.yield()
		c.idle = false
		if c.dead || c.w.fault != "" {
			return
		}
		x := &invocation{label: fmt.Sprintf("%s.%d", c.name, i)}
		c.calls, c.current, c.budget = append(c.calls, x), x, c.attempts()
		do(x)
		x.ended = true
		c.w.logf("%s %s %d: %v", x.label, x.op, x.id, x.err)
	}
}

// attempts returns the number of attempts of a request or a save.
func (c *client) attempts() int {
	n := []int{1, 2, 5, 60}[c.w.rng.IntN(4)]
	if _, scripted := c.w.strategy.(*preemptions); scripted {
		return 60
	}
	if c.w.patient {
		return 1000
	}
	return n
}

// chance chooses with a probability.
func (c *client) chance(percent int) bool { return c.rng.IntN(100) < percent }

// pick returns one of the values with a prefix, or nil.
func (c *client) pick(prefix string) *string {
	n := c.rng.IntN(c.w.values + 1)
	if n == 0 {
		return nil
	}
	v := fmt.Sprintf("%s%d", prefix, n)
	return &v
}

// toggled returns a copy of a sorted set in which v is added if it is missing, and removed if it is present.
func toggled(set []string, v *string) []string {
	if v == nil {
		return set
	}
	out := slices.DeleteFunc(slices.Clone(set), func(e string) bool { return e == *v })
	if len(out) == len(set) {
		out = append(out, *v)
		slices.Sort(out)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// yield waits for the client's turn.
func (c *client) yield() {
	if c.calm {
		return
	}
	c.waiting = true
	c.park(struct{}{})
}

var errDead = errors.New("the client is dead")

// maxRequests is more than any client needs.
const maxRequests = 100_000

// request waits for the client's turn to send a request.
func (c *client) request() error {
	c.yield()
	c.w.tick()
	if c.requests++; c.requests > maxRequests {
		c.w.failf("%s sends requests without end", c.name)
		c.dead = true
	}
	if c.dead {
		return &store.Error{Outcome: store.Unknown, Err: errDead}
	}
	return nil
}

// tick lets time pass before a request, and chooses the server that carries it out.
func (w *world) tick() {
	if w.jump > 0 && w.chance(15) {
		w.now += w.rng.Int64N(w.jump)
	}
	if w.servers > 0 {
		w.server = w.rng.Int64N(w.servers + 1)
	}
}

// Open creates the tables in the database, and returns the client.
func (c *client) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	w := c.w
	if c.schema = schema; w.db != nil && w.schema == schema {
		return c, nil
	}
	db, err := w.backend.Open(ctx, schema)
	if err != nil {
		return nil, err
	}
	if w.db == nil { // the schema of other releases has less
		w.db, w.schema = db, schema
		w.openCentres(schema)
	}
	return c, nil
}

// OpenJob returns the queue of a job that several clients share.
func (c *client) OpenJob(ctx context.Context, job work.Job) (*work.Queue, error) {
	if c.openJob != nil {
		return c.openJob(ctx, job)
	}
	if c.w.jobs == nil {
		c.w.jobs = work.NewShared(time.Second, func() time.Duration { return time.Duration(c.w.now) * time.Microsecond })
	}
	return c.w.jobs.Open(job, func(context.Context) error { return c.request() }, c.await)
}

// Now returns the time of the client's clock.
func (c *client) Now() time.Time { return time.UnixMicro(c.w.now + c.skew) }

// GCGrace returns gc_grace_seconds of all tables.
func (c *client) GCGrace(context.Context, string, ...*descriptor.Table) (map[string]int, error) {
	out := map[string]int{}
	for _, t := range c.w.schema.Tables {
		out[t.Name] = int(c.w.gcGrace.Seconds())
	}
	return out, nil
}

// Clock returns the timestamps of the client.
func (c *client) Clock() *store.Clock { return c.clock }

// NewID returns the number of a save.
func (c *client) NewID() (id plan.Attempt) {
	binary.BigEndian.PutUint64(id[:], uint64(len(c.w.saves)+1))
	c.w.saves[id] = c.current
	if c.w.effects != nil && c.current != nil {
		c.w.effects[id] = c.current.effect
	}
	return id
}

// Pause waits for the client's turn, and then for a random time.
func (c *client) Pause(_ context.Context, attempt int) bool {
	c.yield()
	c.w.now += int64(c.w.rng.IntN(200_000))
	if c.paused != nil {
		c.paused()
	}
	return !c.dead && attempt < c.budget
}

// Resend waits like Pause.
func (c *client) Resend(ctx context.Context, attempt int) bool { return c.Pause(ctx, attempt) }

// Parallel returns 1: the requests of a call are in a fixed order.
func (c *client) Parallel(int) int { return 1 }

// Elapsed returns the true time.
func (c *client) Elapsed() time.Duration { return time.Duration(c.w.now) * time.Microsecond }

// SumSeed returns a seed for every other run.
func (c *client) SumSeed() []byte {
	if c.w.rng.IntN(2) == 0 {
		return nil
	}
	return binary.BigEndian.AppendUint64(nil, c.w.rng.Uint64())
}

var errTimeout = answered(driver.CodeWriteTimeout, driver.LocalQuorum)

// answered returns the error of a server.
func answered(code int, c driver.Consistency) error {
	return &driver.Error{Class: driver.Answered, Code: code, Consistency: c, Err: fmt.Errorf("a server has answered %#04x", code)}
}

// readTimedOut reports whether a read has failed because servers did not answer in time.
func readTimedOut(err error) bool {
	code, ok := driver.Code(err)
	return ok && code == driver.CodeReadTimeout
}

func unknown() error { return &store.Error{Outcome: store.Unknown, Err: errTimeout} }

// Apply carries out a batch: now, late, twice or never. An acknowledged batch has been carried out, and a refused one has not.
func (c *client) Apply(_ context.Context, mutations []plan.Mutation, o store.Write) error {
	if err := c.request(); err != nil {
		return err
	}
	w := c.w
	c.writes++
	mutations = slices.DeleteFunc(slices.Clone(mutations), func(m plan.Mutation) bool { return m.Table.Name == c.truncated })
	for i := range mutations {
		m := &mutations[i]
		w.logf("%s %s %s %s at %d", c.name, m.Action, m.Table.Name, keyText{m.Table, keyOf(m)}, max(m.At, o.Timestamp)%1e10)
	}
	if err := w.refused(); err != nil && !c.calm && (c.unknown == 0 || !w.patient) {
		w.logf("%s: %v", c.name, err)
		if failure, _ := errors.AsType[*store.Error](err); w.patient && failure.Outcome == store.NotSent {
			c.unknown++ // the number of attempts is limited
		}
		return err
	}
	n := c.outcome(batchOutcomes)
	if c.unknown++; n < 70 || w.patient && c.unknown > 2 {
		c.unknown = 0
	}
	switch {
	case c.mute:
		return unknown()
	case c.calm || n < 60 || c.unknown == 0 && n >= 70:
		w.applyFrom(c.centre, mutations, o)
		return nil
	case n < 70 && !slices.ContainsFunc(mutations, writesList): // carried out now, and replayed later
		w.applyFrom(c.centre, mutations, o)
		w.applyEach(mutations, o, 0)
		return nil
	case n < 80:
		w.logf("%s: lost", c.name)
		return unknown()
	case n < 95: // carried out in the end
		w.applyEach(mutations, o, 50)
		w.logf("%s: unknown, some late", c.name)
		return unknown()
	}
	w.applyFrom(c.centre, mutations, o)
	return unknown()
}

// writesList reports whether a replay of a mutation would write the elements of a list twice.
func writesList(m plan.Mutation) bool { return m.WritesList() }

// apply carries out mutations.
func (w *world) apply(mutations []plan.Mutation, o store.Write) { w.applyFrom(nil, mutations, o) }

// applyFrom carries out mutations of a client of a data centre, which is nil if no client waits for them.
func (w *world) applyFrom(from *centre, mutations []plan.Mutation, o store.Write) {
	if err := w.db.Apply(w.t.Context(), mutations, o); err != nil {
		w.failf("apply: %v", err)
	}
	for _, x := range w.centres {
		w.applyIn(x, x == from, mutations, o)
	}
}

// applyEach carries out the parts of a batch that are of different partitions one by one, a share of them now and the others late. Of an
// unlogged batch some are never carried out.
func (w *world) applyEach(mutations []plan.Mutation, o store.Write, share int) {
	for _, part := range byPartition(mutations) {
		run := func() { w.apply(part, o) }
		switch {
		case w.chance(share):
			run()
		case share > 0 && o.Unlogged && w.chance(50):
			w.logf("a part of an unlogged batch is lost: %s", part[0].Table.Name)
		default:
			w.late = append(w.late, late{run: run})
		}
	}
}

// keyText is the key of a row. It is formatted only for a trace.
type keyText struct {
	t   *plan.Table
	row cell.Row
}

// String returns the columns of the key with their values.
func (k keyText) String() string { return k.t.KeyText(k.row) }

// keyOf returns the key of the row that a mutation writes, or the first columns of the rows that it deletes.
func keyOf(m *plan.Mutation) cell.Row {
	if m.Action == plan.Delete && len(m.Row) < m.Table.Key {
		return m.Row
	}
	return m.PrimaryKey()
}

// partitionOf returns the partition of a row.
func partitionOf(t *plan.Table, row cell.Row) string { return t.Name + rowText(row[:t.Partition]) }

// CAS carries out a conditional statement: now, late or never. Its answer may be lost.
func (c *client) CAS(_ context.Context, x *plan.Conditional, o store.CAS) (store.Answer, error) {
	statement := *x
	statement.Row, statement.If = slices.Clone(x.Row), slices.Clone(x.If)
	return c.decided(x.Table, x.Row, func() (store.Answer, error) { return c.w.cas(c.name, &statement, o) })
}

// decided sends a request whose outcome the next conditional statement of the row's partition decides if it is late.
func (c *client) decided(t *plan.Table, row cell.Row, send func() (store.Answer, error)) (store.Answer, error) {
	if err := c.request(); err != nil {
		return store.Answer{}, err
	}
	w := c.w
	c.writes++
	c.noAnswer = false
	if err := w.refused(); err != nil && !c.calm {
		w.logf("%s: %v", c.name, err)
		return store.Answer{}, err
	}
	partition := partitionOf(t, row)
	c.complete(partition)
	n := 0
	if !c.calm {
		n = c.outcome(decidedOutcomes)
	}
	if c.fate != nil {
		n = int(c.fate(t))
	}
	switch n := fate(n); {
	case n < lostAnswer:
		answer, err := send()
		if err != nil {
			return answer, err
		}
		return c.acknowledge(partition, answer)
	case n < lateRequest:
		_, _ = send()
		w.logf("%s: the answer is lost", c.name)
	case n < lostRequest:
		w.late = append(w.late, late{partition, func() { _, _ = send() }})
		w.logf("%s: a conditional request on %s of %s is late", c.name, t.Name, keyText{t, row})
	case n == refusedRequest:
		return store.Answer{}, refusedError()
	default:
		w.logf("%s: a conditional request on %s of %s is lost", c.name, t.Name, keyText{t, row})
	}
	c.noAnswer = true
	return store.Answer{}, unknown()
}

// cas carries out a conditional statement.
func (w *world) cas(who string, x *plan.Conditional, o store.CAS) (store.Answer, error) {
	return w.changing(who+" cas", x.Table, x.Row, func() (store.Answer, error) {
		answer, err := w.db.CAS(w.t.Context(), x, o)
		if answer.Applied {
			w.changed(x, o)
		}
		return answer, err
	})
}

// changing sends a request that can change a root, and reports what it has changed.
func (w *world) changing(what string, t *plan.Table, row cell.Row, send func() (store.Answer, error)) (store.Answer, error) {
	var before *plan.State
	a := w.aggregate(t)
	if a != nil {
		before = w.stateOf(a, row[:t.Key])
		w.expired = w.expires(a, row[:t.Key])
	}
	answer, err := send()
	w.logf("%s of %s %s: applied %v, %v", what, t.Name, keyText{t, row}, answer.Applied, err)
	if err != nil {
		w.failf("%s: %v", what, err)
	}
	if answer.Applied && a != nil {
		w.applied(a, before, w.stateOf(a, row[:t.Key]))
	}
	return answer, err
}

// expires reports whether a row that exists has expired by the clock of the fastest server. What has read it there can save over it by a
// statement that another server carries out: its condition is the version alone.
func (w *world) expires(a *plan.Aggregate, key cell.Row) bool {
	if w.servers == 0 {
		return false
	}
	server := w.server
	defer func() { w.server = server }()
	w.server = w.servers
	return !w.stateOf(a, key).Exists()
}

// read waits for the client's turn to read. A serial read of a partition decides the outcome of its late statements.
func (c *client) read(r *store.Read) error {
	if err := c.request(); err != nil {
		return err
	}
	if r.Serial() && len(r.Key) >= r.Table.Partition {
		c.complete(partitionOf(r.Table, r.Key))
	}
	if !c.calm && c.outcome(readOutcomes) == readOutcomes.lost {
		return answered(driver.CodeReadTimeout, r.Consistency)
	}
	return nil
}

// Row reads a row.
func (c *client) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	if err := c.read(&l.Read); err != nil {
		return nil, err
	}
	row, err := c.reads(&l.Read).Row(ctx, l)
	return slices.Clone(row), err
}

// Rows reads pages of one to three rows, each with one request.
func (c *client) Rows(ctx context.Context, r store.Read) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		var state []byte
		for more := true; more; more = len(state) > 0 {
			r.PageSize = 1 + c.w.rng.IntN(3)
			page, err := c.Page(ctx, r, state)
			if err != nil {
				yield(nil, err)
				return
			}
			for row := range page.All() {
				if !yield(row, nil) {
					return
				}
			}
			state = page.State
		}
	}
}

// Page reads a page with one request.
func (c *client) Page(ctx context.Context, r store.Read, state []byte) (store.Page, error) {
	if err := c.read(&r); err != nil {
		return store.Page{}, err
	}
	if c.w.pages {
		r.PageSize = 1 + c.w.rng.IntN(3)
	}
	return c.reads(&r).Page(ctx, r, state)
}
