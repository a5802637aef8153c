package runtime_test

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/runtime"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

var (
	schedules = flag.Int("schedules", 5000, "random schedules of TestSchedules")
	from      = flag.Uint64("schedules-from", 1, "the seed of the first schedule; each next schedule has the next seed")
	schedule  = flag.Uint64("schedule", 0, "the seed of the only schedule to run, whose requests are printed; 0: run all")
)

// TestSchedules runs several clients on one database in random schedules, one request at a time. Requests are lost, are carried
// out late or twice, or have an unknown outcome; clocks differ from the true time by up to 3 s; clients die between two requests.
// In every schedule, a save is applied at most once, and only to the row that it was planned from. The result of a call, unless it
// is an unknown outcome, agrees with what was applied. A unique value has one owner. After every aggregate has been repaired
// once, the copies are the projections of the roots.
func TestSchedules(t *testing.T) {
	first, n := *from, *schedules
	if *schedule > 0 {
		first, n = *schedule, 1
	}
	for i := range uint64(n) {
		seed := first + i
		w := newWorld(t, seed)
		w.run()
		if *schedule > 0 {
			t.Log(strings.Join(w.trace, "\n"))
		}
		if w.fault != "" {
			t.Fatalf("schedule %d: %s\n%s", seed, w.fault, strings.Join(w.trace, "\n"))
		}
	}
}

// world is a database and its clients.
type world struct {
	t       *testing.T
	rng     *rand.Rand
	db      store.Store
	now     int64 // microseconds since 1970
	late    []late
	clients []*client
	parked  chan struct{} // receives a value when a client waits for its turn or has ended
	trace   []string
	fault   string // the first fault that was found
	calm    bool   // requests no longer fail

	transactions bool // each save is one request

	saves map[plan.Attempt]*call
	ids   int
}

// late is the effect of a request that takes place after its client has received a result.
type late struct {
	partition string // of a conditional statement; a later one, or a serial read, of the same partition decides its outcome
	run       func()
}

// client is a program with one goroutine.
type client struct {
	w       *world
	name    string
	skew    int64
	turn    chan struct{}
	waiting bool
	dead    bool
	until   int64 // the client stalls until then
	budget  int   // the number of attempts of a request or a save
	calls   []*call
	table   runtime.Versioned
	current *call
}

// call is a call of the store.
type call struct {
	label   string
	op      string
	id      int32
	old     *customer // of a Change
	applied int       // the number of its saves that were applied
	err     error
	ended   bool
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, rng: rand.New(rand.NewPCG(seed, 0)), now: 1_700_000_000_000_000, parked: make(chan struct{}), saves: map[plan.Attempt]*call{}}
	backend := memory.New(memory.Config{Now: func() time.Time { return time.UnixMicro(w.now) }})
	var err error
	w.db, err = backend.Open(t.Context(), customersSchema)
	require.NoError(t, err)
	w.transactions = seed%5 == 0
	for i := range 2 + w.rng.IntN(3) {
		w.clients = append(w.clients, w.client(fmt.Sprintf("c%d", i), int64(w.rng.IntN(6_000_000))-3_000_000))
	}
	return w
}

func (w *world) client(name string, skew int64) *client {
	c := &client{w: w, name: name, skew: skew, turn: make(chan struct{})}
	db, err := runtime.OpenStore(c, mapper.Config{Now: func() time.Time { return time.UnixMicro(w.now + c.skew) }, MaxClockSkew: -1,
		Timeout: 30 * time.Minute, BatchLimit: []int{200, 400, 50 << 10}[w.rng.IntN(3)], Logger: discardLogger}, customersSchema)
	require.NoError(w.t, err)
	if w.transactions {
		db.SetTransactor(c)
	}
	db.SetEnvironment(c.newID, c.pause, func() time.Duration { return time.Duration(w.now) * time.Microsecond })
	c.table = customers(db)
	return c
}

func (w *world) chance(percent int) bool { return w.rng.IntN(100) < percent }

func (w *world) logf(format string, args ...any) {
	w.trace = append(w.trace, fmt.Sprintf("%d ", w.now%1e10)+fmt.Sprintf(format, args...))
}

func (w *world) failf(format string, args ...any) {
	if w.fault == "" {
		w.fault = fmt.Sprintf(format, args...)
		w.logf("FAULT %s", w.fault)
	}
}

// run runs all clients until they end, repairs every aggregate and checks the tables.
func (w *world) run() {
	for _, c := range w.clients {
		go c.main()
		<-w.parked
	}
	for w.fault == "" {
		waiting := slices.DeleteFunc(slices.Clone(w.clients), func(c *client) bool { return !c.waiting })
		if len(waiting) == 0 {
			break
		}
		w.now += int64(w.rng.IntN(3000))
		if len(w.late) > 0 && w.chance(15) {
			w.carryOut(w.rng.IntN(len(w.late)))
			continue
		}
		c := w.next(waiting)
		if !c.dead && w.rng.IntN(300) == 0 {
			c.dead = true
			w.logf("%s dies", c.name)
		}
		w.let(c)
	}
	for _, c := range w.clients { // after a fault, some clients still wait
		for c.waiting {
			c.dead = true
			w.let(c)
		}
	}
	if w.fault == "" {
		w.finish()
	}
}

// next returns the client whose turn it is. Sometimes it makes the client stall for seconds afterwards.
func (w *world) next(waiting []*client) *client {
	awake := slices.DeleteFunc(slices.Clone(waiting), func(c *client) bool { return c.until > w.now })
	if len(awake) == 0 {
		w.now = waiting[0].until
		return waiting[0]
	}
	c := awake[w.rng.IntN(len(awake))]
	if w.rng.IntN(25) == 0 {
		c.until = w.now + int64(w.rng.IntN(8_000_000))
	}
	return c
}

// let runs a client until it waits for its next turn or ends.
func (w *world) let(c *client) {
	c.waiting = false
	c.turn <- struct{}{}
	<-w.parked
}

// carryOut carries out a late request.
func (w *world) carryOut(i int) {
	l := w.late[i]
	w.late = slices.Delete(w.late, i, i+1)
	l.run()
}

// finish repairs every aggregate while some requests may still be late, carries these out, and compares the tables.
func (w *world) finish() {
	w.calm = true
	w.checkResults()
	for len(w.late) > 0 && w.chance(80) {
		w.carryOut(w.rng.IntN(len(w.late)))
	}
	repairer := w.client("repairer", 0)
	for id := range int32(ids) {
		if err := repairer.repair(id); err != nil {
			w.failf("repair %d: %v", id, err)
		}
	}
	for len(w.late) > 0 {
		w.carryOut(w.rng.IntN(len(w.late)))
	}
	w.compare()
}

// repair makes the copies of an aggregate equal to its root. It does not wait for the client's turn.
func (c *client) repair(id int32) error {
	key, err := customerKey(id).Cells(nil)
	if err != nil {
		return err
	}
	return c.table.Repair(context.Background(), key)
}

// checkResults compares the results of the calls with the saves that were applied.
func (w *world) checkResults() {
	for _, c := range w.clients {
		for _, x := range c.calls {
			switch {
			case !x.ended || errors.Is(x.err, errDead):
			case x.applied > 1:
				w.failf("%s was applied %d times", x.label, x.applied)
			case x.err == nil && x.applied == 0 && x.op != "Delete":
				w.failf("%s succeeded and was not applied", x.label)
			case x.err != nil && x.applied > 0 && !mapper.OutcomeUnknown(x.err):
				w.failf("%s was applied and failed: %v", x.label, x.err)
			}
		}
	}
}

// rows returns all rows of a table as text, sorted.
func (w *world) rows(t *plan.Table, columns int) (out []string) {
	for row, err := range w.db.Rows(context.Background(), store.Read{Table: t}) {
		if err != nil {
			w.failf("read %s: %v", t.Name, err)
			return nil
		}
		out = append(out, rowText(row[:columns]))
	}
	slices.Sort(out)
	return out
}

func rowText(row cell.Row) string { return fmt.Sprintf("%q", row) }

// compare compares the copies with the projections of the roots.
func (w *world) compare() {
	var vehicles, byCity, byEmail []string
	for row, err := range w.db.Rows(context.Background(), store.Read{Table: customersTable}) {
		if err != nil {
			w.failf("read: %v", err)
		}
		if customersTable.IsDeleted(row) {
			continue
		}
		walk, n := cell.Elements(row[customerPlates], 1)
		for range n {
			vehicles = append(vehicles, rowText(cell.Row{walk.Next(), row[customerID], row[customerName], row[customerCity]}))
		}
		if row[customerEmail] != nil {
			byEmail = append(byEmail, rowText(cell.Row{row[customerEmail], row[customerID], row[customerName]}))
		}
		if row[customerCity] != nil {
			byCity = append(byCity, rowText(cell.Row{row[customerCity], row[customerID], row[customerName]}))
		}
	}
	slices.Sort(byEmail)
	slices.Sort(vehicles)
	slices.Sort(byCity)
	if got := w.rows(vehiclesTable, 4); !slices.Equal(got, vehicles) {
		w.failf("vehicles has %v, not %v", got, vehicles)
	}
	if got := w.rows(byCityTable, 3); !slices.Equal(got, byCity) {
		w.failf("customers_by_city has %v, not %v", got, byCity)
	}
	if got := w.rows(byEmailTable, 3); !slices.Equal(got, byEmail) {
		w.failf("customers_by_email has %v, not %v", got, byEmail)
	}
}

const (
	ids    = 2
	values = 2 // of each field
)

// main makes some random calls.
func (c *client) main() {
	defer func() { c.w.parked <- struct{}{} }()
	c.yield()
	known := map[int32]*customer{}
	for i := range 2 + c.w.rng.IntN(4) {
		if c.dead || c.w.fault != "" {
			return
		}
		x := &call{label: fmt.Sprintf("%s.%d", c.name, i), id: int32(c.w.rng.IntN(ids))}
		c.calls, c.current, c.budget = append(c.calls, x), x, []int{1, 2, 5, 60}[c.w.rng.IntN(4)]
		c.call(x, known)
		x.ended = true
		c.w.logf("%s %s %d: %v", x.label, x.op, x.id, x.err)
	}
}

func (c *client) call(x *call, known map[int32]*customer) {
	ctx := context.Background()
	keep := func(v *customer) {
		if x.err == nil {
			known[x.id] = v
		}
	}
	switch n := c.w.rng.IntN(10); {
	case n < 2:
		x.op = "Insert"
		v := c.value(x)
		x.err = c.table.Insert(ctx, v)
		keep(v)
	case n < 3:
		x.op = "Put"
		v := c.value(x)
		x.err = c.table.Put(ctx, v)
		keep(v)
	case n < 4:
		x.op = "Delete"
		x.err = c.table.Delete(ctx, customerKey(x.id))
	case n < 6 && known[x.id] != nil:
		x.op = "Change"
		x.old = known[x.id]
		v := c.changed(x, *x.old)
		x.err = c.table.Change(ctx, x.old, v)
		keep(v)
	default:
		x.op = "Update"
		var v any
		v, x.err = c.table.Update(ctx, func(v any) error {
			*v.(*customer) = *c.changed(x, *v.(*customer))
			return nil
		}, customerKey(x.id))
		if x.err == nil {
			keep(v.(*customer))
		}
	}
}

// value returns a new customer. Its name is the label of the call that makes it.
func (c *client) value(x *call) *customer {
	return c.changed(x, customer{ID: x.id})
}

// changed returns a customer with the label of the call added to its name, and with some other values changed.
func (c *client) changed(x *call, v customer) *customer {
	v.Name += "+" + x.label
	pick := func(prefix string) string {
		if n := c.w.rng.IntN(values + 1); n > 0 {
			return fmt.Sprintf("%s%d", prefix, n)
		}
		return ""
	}
	if c.w.chance(50) {
		v.Email = pick("e")
	}
	if c.w.chance(50) {
		v.City = pick("x")
	}
	if c.w.chance(50) {
		v.Plates = toggled(toggled(v.Plates, pick("p")), pick("p"))
	}
	return &v
}

// toggled returns a copy of a set in which p is added if it is missing, and removed if it is present.
func toggled(plates map[string]struct{}, p string) map[string]struct{} {
	if p == "" {
		return plates
	}
	out := map[string]struct{}{}
	maps.Copy(out, plates)
	if _, has := plates[p]; has {
		delete(out, p)
	} else {
		out[p] = struct{}{}
	}
	return out
}

// yield waits for the client's turn.
func (c *client) yield() {
	if c.w.calm {
		return
	}
	c.waiting = true
	c.w.parked <- struct{}{}
	<-c.turn
}

var errDead = errors.New("the client is dead")

// request waits for the client's turn to send a request.
func (c *client) request() error {
	c.yield()
	if c.dead {
		return &store.Error{Outcome: store.Unknown, Err: errDead}
	}
	return nil
}

func (c *client) pause(_ context.Context, attempt int) bool {
	c.yield()
	c.w.now += int64(c.w.rng.IntN(200_000))
	return !c.dead && attempt < c.budget
}

func (c *client) newID() (id plan.Attempt) {
	c.w.ids++
	binary.BigEndian.PutUint64(id[:], uint64(c.w.ids))
	c.w.saves[id] = c.current
	return id
}

var errTimeout = &gocql.RequestErrWriteTimeout{WriteType: "SIMPLE"}

func unknown() error { return &store.Error{Outcome: store.Unknown, Err: errTimeout} }

// Apply carries out a batch: now, late, twice or never. An acknowledged batch has been carried out.
func (c *client) Apply(ctx context.Context, mutations []plan.Mutation, o store.Write) error {
	if err := c.request(); err != nil {
		return err
	}
	w := c.w
	mutations = slices.Clone(mutations)
	for i := range mutations {
		w.logf("%s %s %s %s at %d", c.name, mutations[i].Action, mutations[i].Table.Name, mutations[i].Table.KeyText(rowOf(&mutations[i])), mutations[i].At%1e10)
	}
	all := func(of []plan.Mutation) func() {
		return func() {
			if err := w.db.Apply(context.Background(), of, o); err != nil {
				w.failf("apply: %v", err)
			}
		}
	}
	// The statements of a batch take effect one by one.
	each := func(share int) {
		for i := range mutations {
			if run := all(mutations[i : i+1]); w.chance(share) {
				run()
			} else {
				w.late = append(w.late, late{run: run})
			}
		}
	}
	switch n := w.rng.IntN(100); {
	case w.calm || n < 60:
		all(mutations)()
		return nil
	case n < 70: // carried out now, and replayed later
		all(mutations)()
		each(0)
		return nil
	case n < 80: // lost
		w.logf("%s: lost", c.name)
		return unknown()
	case n < 95: // carried out in the end
		each(50)
		w.logf("%s: unknown, some late", c.name)
		return unknown()
	}
	all(mutations)()
	return unknown()
}

func rowOf(m *plan.Mutation) cell.Row {
	row := make(cell.Row, m.Table.Key)
	for i := range row {
		row[i] = *m.Cell(i)
	}
	return row
}

// decide decides the outcome of the late conditional statements of a partition: each is carried out or discarded.
func (w *world) decide(partition string) {
	for i := 0; i < len(w.late); {
		if w.late[i].partition != partition {
			i++
			continue
		}
		if w.chance(50) {
			w.carryOut(i)
		} else {
			w.late = slices.Delete(w.late, i, i+1)
		}
	}
}

// CAS carries out a conditional statement: now, late or never. Its answer may be lost.
func (c *client) CAS(ctx context.Context, x *plan.Conditional, o store.CAS) (store.Answer, error) {
	if err := c.request(); err != nil {
		return store.Answer{}, err
	}
	w := c.w
	partition := x.Table.Name + string(x.Row[0])
	w.decide(partition)
	statement := *x
	statement.Row, statement.If = slices.Clone(x.Row), slices.Clone(x.If)
	switch n := w.rng.IntN(100); {
	case w.calm || n < 85:
		return w.cas(c.name, &statement, o)
	case n < 90:
		_, _ = w.cas(c.name, &statement, o)
		w.logf("%s: the answer is lost", c.name)
		return store.Answer{}, unknown()
	case n < 95:
		w.late = append(w.late, late{partition, func() { _, _ = w.cas(c.name, &statement, o) }})
		w.logf("%s: %s of %s is late", c.name, x.Table.Name, x.Table.KeyText(x.Row))
		return store.Answer{}, unknown()
	}
	w.logf("%s: %s of %s is lost", c.name, x.Table.Name, x.Table.KeyText(x.Row))
	return store.Answer{}, unknown()
}

// Transact carries out a transaction: now, late or never. Its answer may be lost.
func (c *client) Transact(ctx context.Context, x *plan.Transaction, o store.CAS) (store.Answer, error) {
	if err := c.request(); err != nil {
		return store.Answer{}, err
	}
	w := c.w
	partition := x.Root.Table.Name + string(x.Root.Row[0])
	w.decide(partition)
	switch n := w.rng.IntN(100); {
	case w.calm || n < 85:
		return w.transact(c.name, x, o)
	case n < 90:
		_, _ = w.transact(c.name, x, o)
		w.logf("%s: the answer is lost", c.name)
	case n < 95:
		w.late = append(w.late, late{partition, func() { _, _ = w.transact(c.name, x, o) }})
		w.logf("%s: a transaction of %s is late", c.name, x.Root.Table.KeyText(x.Root.Row))
	}
	return store.Answer{}, unknown()
}

// transact carries out a transaction, and checks how it changes the root.
func (w *world) transact(who string, x *plan.Transaction, o store.CAS) (store.Answer, error) {
	before := w.stateOf(x.Root.Row[:1])
	answer, err := w.db.(store.Transactor).Transact(context.Background(), x, o)
	w.logf("%s transacts %s: applied %v, %v", who, rowText(x.Root.Row), answer.Applied, err)
	if err != nil {
		w.failf("transaction: %v", err)
	}
	if answer.Applied {
		w.checkSave(before, w.stateOf(x.Root.Row[:1]))
	}
	return answer, err
}

// cas carries out a conditional statement, and checks how it changes a root.
func (w *world) cas(who string, x *plan.Conditional, o store.CAS) (store.Answer, error) {
	before := w.root(x)
	answer, err := w.db.CAS(context.Background(), x, o)
	w.logf("%s cas %s %s: applied %v, %v", who, x.Table.Name, rowText(x.Row), answer.Applied, err)
	if err != nil {
		w.failf("cas: %v", err)
	}
	if answer.Applied && x.Table == customersTable {
		w.checkSave(before, w.root(x))
	}
	return answer, err
}

// root returns the state of the root that a statement writes, or nil if it does not write a root.
func (w *world) root(x *plan.Conditional) *plan.State {
	if x.Table != customersTable {
		return nil
	}
	return w.stateOf(x.Row[:1])
}

func (w *world) stateOf(key cell.Row) *plan.State {
	row, err := w.db.Row(context.Background(), &store.Lookup{Read: store.Read{Table: customersTable, Key: key}})
	if row == nil || err != nil {
		return nil
	}
	s, err := customersAggregate.StateOf(row)
	if err != nil {
		w.failf("%v", err)
	}
	return s
}

// checkSave checks that a save that was applied was planned from the state before it.
func (w *world) checkSave(before, after *plan.State) {
	if after.Version <= before.At() {
		w.failf("the version went from %d to %d", before.At(), after.Version)
	}
	if before.Exists() && after.Exists() {
		w.checkOwner(after)
	} else if after.Exists() {
		w.checkOwner(after)
	}
	if len(after.Attempts) == 0 || before != nil && slices.Equal(before.Attempts, after.Attempts) {
		return // a fence
	}
	x := w.saves[after.Attempts[len(after.Attempts)-1]]
	x.applied++
	name := string(after.Row[customerName])
	switch x.op {
	case "Insert":
		if before.Exists() {
			w.failf("%s inserted over a row", x.label)
		}
	case "Update", "Change":
		if !before.Exists() || name != string(before.Row[customerName])+"+"+x.label {
			w.failf("%s has changed the name to %q", x.label, name)
		}
	}
}

// checkOwner checks that no other root has the unique value of s.
func (w *world) checkOwner(s *plan.State) {
	email := s.Row[customerEmail]
	if email == nil {
		return
	}
	for id := range int32(ids) {
		key := cell.Row{binary.BigEndian.AppendUint32(nil, uint32(id))}
		if o := w.stateOf(key); o.Exists() && string(key[0]) != string(s.Row[0]) && string(o.Row[customerEmail]) == string(email) {
			w.failf("%q has two owners", email)
		}
	}
}

// Row reads a row. A serial read decides the outcome of the late statements of its partition.
func (c *client) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	if err := c.request(); err != nil {
		return nil, err
	}
	if l.Consistency == gocql.Consistency(gocql.Serial) {
		c.w.decide(l.Table.Name + string(l.Key[0]))
	}
	if !c.w.calm && c.w.rng.IntN(50) == 0 {
		return nil, &gocql.RequestErrReadTimeout{}
	}
	row, err := c.w.db.Row(ctx, l)
	return slices.Clone(row), err
}

// Rows is not used by saves, and neither is Page.
func (c *client) Rows(context.Context, store.Read) iter.Seq2[cell.Row, error] { panic("not used") }

func (c *client) Page(context.Context, store.Read, []byte) ([]cell.Row, []byte, error) {
	panic("not used")
}
