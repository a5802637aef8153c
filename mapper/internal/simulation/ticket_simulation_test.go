package simulation

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/ticket"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// TestTicketSchedules runs several clients that write a versioned root and its parts, which have redundant tables, in random schedules, with the
// faults of TestSchedules. In every schedule, a save and its writes of parts are applied together, at most once, and only to the parts that the
// function has read. A redundant row has values that its part has had. At the end one more save of each root, or a Delete of a deleted one,
// or Reconcile, leaves the redundant rows that follow from the parts, and no part of a deleted root.
func TestTicketSchedules(t *testing.T) {
	simulate(t, 1, func(w *world) {
		w.replicate()
		newTicketWorld(w).play()
	})
}

const (
	eventIDs   = 2
	ticketKeys = 3
)

// ticketValues are the values of a ticket.
type ticketValues struct {
	barcode, holder string // no holder: ""
	cents           int64
}

// ticketWorld is a world in which clients change events and their tickets.
type ticketWorld struct {
	*world
	truth   *ticket.Store // without faults
	tickets [eventIDs]map[int32]ticketValues
	exists  [eventIDs]bool
	last    map[*invocation]*ticketEffect
	had     map[string]bool // the redundant rows that the tickets have had, with their tables
}

// ticketEffect is what an attempt of a call does.
type ticketEffect struct {
	op     string
	reads  map[int32]ticketValues
	writes []ticketWrite
}

// ticketWrite is a write of one ticket, or the deletion of a range.
type ticketWrite struct {
	op     string
	key    int32
	end    int32 // the key after the last one of a range
	values ticketValues
	cents  bool // a Change writes only the cents
}

func newTicketWorld(w *world) *ticketWorld {
	t := &ticketWorld{world: w, last: map[*invocation]*ticketEffect{}, had: map[string]bool{}}
	w.effects, w.pages, w.applied = map[plan.Attempt]any{}, true, t.check
	for id := range t.tickets {
		t.tickets[id] = map[int32]ticketValues{}
	}
	t.truth = t.open(w.observer())
	return t
}

func (w *ticketWorld) open(c *client) *ticket.Store {
	s, err := ticket.OpenBackend(w.t.Context(), c, c.config([]int{200, 400, 50 << 10}[w.rng.IntN(3)]))
	require.NoError(w.t, err)
	return s
}

func (w *ticketWorld) play() {
	for range 2 + w.rng.IntN(3) {
		c := &ticketClient{client: w.client(), w: w, known: map[int32]*ticket.Event{}}
		c.store = w.open(c.client)
		w.start(c.client, c.call)
	}
	for range w.rng.IntN(6) - 3 {
		c := &ticketClient{client: w.client(), w: w}
		c.store = w.open(c.client)
		w.start(c.client, func(x *invocation) { c.reconcile(x) })
	}
	if w.run(); w.fault == "" {
		w.finish()
	}
}

// finish finishes what the calls have left, while some requests may still be late, and compares the tables.
func (w *ticketWorld) finish() {
	w.checkResults()
	w.checkHad()
	for i := 0; i < len(w.late); { // batches can be later than the next save
		if w.late[i].partition != "" || w.chance(50) {
			w.carryOut(i)
		} else {
			i++
		}
	}
	w.now += 2*maxSkew + int64(w.rng.IntN(1_000_000))
	if w.chance(50) {
		w.reconcileAll()
	} else {
		for id := range int32(eventIDs) {
			w.saveAgain(id)
		}
	}
	w.land()
	w.checkTables()
	if w.reconcileAll(); w.fault != "" {
		return
	}
	w.checkTables()
	if w.seed%4 == 0 {
		w.now += (w.gcGrace.Microseconds() + 24*3600*1_000_000)
		w.reconcileAll()
		w.checkTables()
	}
}

// reconcileAll reconciles all tables.
func (w *ticketWorld) reconcileAll() {
	if _, err := w.truth.Reconcile(w.t.Context(), w.reconcileConfig("events", nil)); err != nil {
		w.failf("reconcile: %v", err)
	}
}

// saveAgain makes the next save of an event.
func (w *ticketWorld) saveAgain(id int32) {
	var err error
	switch ctx := w.t.Context(); {
	case !w.exists[id]:
		err = w.truth.Events.Delete(ctx, id)
	case w.chance(50):
		_, err = w.truth.Events.Update(ctx, id, func(e *ticket.Event, _ *ticket.EventParts) error { e.Sold++; return nil })
	default:
		err = w.truth.Events.Put(ctx, &ticket.Event{ID: id, Name: "again"})
	}
	if err != nil {
		w.failf("the save of event %d: %v", id, err)
	}
}

// checkTables compares the parts with what was applied, and the redundant rows with the parts.
func (w *ticketWorld) checkTables() {
	want := projections{}
	for id := range int32(eventIDs) {
		w.compareTickets(id)
		for key, v := range w.tickets[id] {
			for table, row := range expectedCopies(id, key, v) {
				want[table] = append(want[table], row)
			}
		}
	}
	for _, r := range w.rows("events") {
		if part := r.cell("aml_part"); !w.exists[r.row[0][3]] && len(part) == 1 && part[0] == 1 {
			w.failf("%q is left of a deleted event", r.row)
		}
	}
	w.compare(want, "tickets_by_barcode", "tickets_by_initial")
}

// expectedCopies returns the redundant rows of a ticket, by their tables.
func expectedCopies(id, key int32, v ticketValues) map[string]string {
	number := func(n int32) cell.Cell { return binary.BigEndian.AppendUint32(nil, uint32(n)) }
	var holder cell.Cell
	if v.holder != "" {
		holder = cell.Cell(v.holder)
	}
	out := map[string]string{"tickets_by_barcode": rowText(cell.Row{cell.Cell(v.barcode), number(id), number(key), holder, nil})}
	if holder != nil {
		out["tickets_by_initial"] = rowText(cell.Row{holder[:1], number(key), number(id), plan.Bigint(v.cents)})
	}
	return out
}

// checkHad checks that each redundant row has values that its ticket has had.
func (w *ticketWorld) checkHad() {
	for _, table := range []string{"tickets_by_barcode", "tickets_by_initial"} {
		for _, r := range w.rows(table) {
			if !w.had[table+rowText(r.row)] {
				w.failf("%s has %s, which no ticket has had", table, rowText(r.row))
			}
		}
	}
}

// compareTickets compares the tickets of an event in the table with what was applied.
func (w *ticketWorld) compareTickets(id int32) {
	got := map[int32]ticketValues{}
	for v, err := range w.truth.Ticket.Of(id).All(w.t.Context()) {
		if err != nil {
			w.failf("read the tickets: %v", err)
			return
		}
		got[v.Number] = newTicketValues(v)
	}
	if !maps.Equal(got, w.tickets[id]) {
		w.failf("event %d has the tickets %v, not %v", id, got, w.tickets[id])
	}
}

func newTicketValues(v *ticket.Ticket) ticketValues {
	out := ticketValues{barcode: v.Barcode, cents: v.Cents}
	if v.Holder != nil {
		out.holder = *v.Holder
	}
	return out
}

// check checks a save that was applied.
func (w *ticketWorld) check(a *plan.Aggregate, before, after *plan.State) {
	if after == nil {
		if before.Exists() {
			w.failf("a row that is not deleted was removed")
		}
		w.checkCleared(a, before)
		return
	}
	id := int32(after.Row[0][3])
	if after.Version <= before.CurrentVersion() {
		w.failf("the version went from %d to %d", before.CurrentVersion(), after.Version)
	}
	if a.PartsSince(before) > 0 && a.PartsSince(after) == 0 {
		w.checkUnmarked(a, before)
		w.checkCleared(a, after)
		if after.Exists() {
			w.failf("event %d was inserted while tickets of the deleted one were left", id)
		}
		return
	}
	if len(after.Attempts) > 0 && (before == nil || len(before.Attempts) == 0 || lastAttempt(before) != lastAttempt(after)) {
		x := w.saves[lastAttempt(after)]
		if x == nil { // of the observer
			return
		}
		x.applied++
		w.carry(id, x, w.effects[lastAttempt(after)].(*ticketEffect), before.Exists())
	}
	w.compareTickets(id)
}

// checkCleared checks that no ticket and no redundant row is left of a deleted event, except for what late batches write or have yet to delete.
func (w *ticketWorld) checkCleared(a *plan.Aggregate, s *plan.State) {
	for row, err := range w.db.Rows(w.t.Context(), store.Read{Table: a.Versioning.Part.Table, Key: s.Row[:a.Root.Key]}) {
		if err != nil || row[a.Versioning.Part.Table.Key-1] != nil && !a.Versioning.Part.Table.IsHead(row) {
			w.failf("%q is left of a deleted event: %v", row, err)
		}
	}
	for _, r := range w.rows("tickets_by_barcode") {
		if len(w.late) == 0 && string(r.cell("event_id")) == string(s.Row[0]) {
			w.failf("%s is left of a deleted event", rowText(r.row))
		}
	}
}

// checkUnmarked checks that no done-marker shows that nothing is left of an event that was deleted, while its tickets are there.
func (w *ticketWorld) checkUnmarked(a *plan.Aggregate, s *plan.State) {
	done := a.Versioning.Done
	for row, err := range w.db.Rows(w.t.Context(), store.Read{Table: done, Key: s.Row[:a.Root.Key]}) {
		at, decoded := plan.DecodeBigint(row[done.Key])
		if err != nil || decoded != nil || at >= s.Version {
			w.failf("the done-marker is %d while tickets are left of the event that was deleted at %d: %v, %v", at, s.Version, err, decoded)
		}
	}
}

// carry makes the changes of an attempt that was applied in the expected tickets.
func (w *ticketWorld) carry(id int32, x *invocation, e *ticketEffect, existed bool) {
	tickets := w.tickets[id]
	if e.op != "Put" && existed == (e.op == "Insert") {
		w.failf("%s: the event existed: %v", x.label, existed)
	}
	if e.op == "Delete" {
		clear(tickets)
	}
	w.exists[id] = e.op != "Delete"
	for key, v := range e.reads {
		if tickets[key] != v {
			w.failf("%s has read %v in ticket %d, which had %v", x.label, v, key, tickets[key])
		}
	}
	for _, t := range e.writes {
		old, exists := tickets[t.key]
		if t.op == "Insert" && exists || (t.op == "Change" || t.op == "Delete") && !exists {
			w.failf("%s: %s of ticket %d, which existed: %v", x.label, t.op, t.key, exists)
		}
		switch {
		case t.op == "Delete":
			delete(tickets, t.key)
		case t.op == "Delete range":
			maps.DeleteFunc(tickets, func(key int32, _ ticketValues) bool { return t.key <= key && key < t.end })
		case t.cents:
			old.cents = t.values.cents
			tickets[t.key] = old
		default:
			tickets[t.key] = t.values
		}
	}
	for key, v := range tickets {
		for table, row := range expectedCopies(id, key, v) {
			w.had[table+row] = true
		}
	}
}

// checkResults compares the results of the calls with the saves that were applied.
func (w *ticketWorld) checkResults() {
	for _, c := range w.clients {
		for _, x := range c.calls {
			switch {
			case !x.ended || errors.Is(x.err, errDead) || w.last[x] == nil:
			case x.applied > 1:
				w.failf("%s was applied %d times", x.label, x.applied)
			case x.err == nil && x.applied == 0 && x.op != "Delete":
				w.failf("%s succeeded and was not applied", x.label)
			case x.err != nil && x.applied > 0 && !mapper.OutcomeUnknown(x.err) && !strings.Contains(x.err.Error(), "the row is deleted"):
				w.failf("%s was applied and failed: %v", x.label, x.err)
			}
		}
	}
}

// ticketClient makes random calls that change events and tickets.
type ticketClient struct {
	*client
	w     *ticketWorld
	store *ticket.Store
	known map[int32]*ticket.Event
}

func (c *ticketClient) call(x *invocation) {
	x.id = int32(c.rng.IntN(eventIDs))
	c.do(x, []string{"Insert", "Insert", "Put", "Delete", "Delete", "DeleteAt", "Change", "Find", "Upsert", "Update", "Update", "Update", "Update", "Update"}[c.rng.IntN(14)])
}

// do makes a call. Without a known version, DeleteAt is Delete, and Change is Update.
func (c *ticketClient) do(x *invocation, op string) {
	old := c.known[x.id]
	if old == nil {
		op = map[string]string{"DeleteAt": "Delete", "Change": "Update"}[op] + op
		op = strings.TrimSuffix(strings.TrimSuffix(op, "DeleteAt"), "Change")
	}
	ctx, root := context.Background(), &ticket.Event{ID: x.id, Name: "n" + string(rune('a'+c.rng.IntN(2)))}
	var saved *ticket.Event
	switch x.op = op; op {
	case "Insert":
		x.err = c.store.Events.InsertWith(ctx, root, c.insert(x)...)
		saved = root
	case "Put":
		c.begin(x, "Put")
		x.err = c.store.Events.Put(ctx, root)
		saved = root
	case "Delete":
		c.begin(x, "Delete")
		x.err = c.store.Events.Delete(ctx, x.id)
	case "DeleteAt":
		c.begin(x, "Delete")
		x.err = c.store.Events.DeleteAt(ctx, x.id, old.Version)
	case "Change":
		c.begin(x, "Update")
		changed := *old
		changed.Name, changed.Sold = root.Name, old.Sold+1
		x.err = c.store.Events.Change(ctx, old, &changed)
		saved = &changed
	case "Find":
		c.find(x)
	case "Upsert":
		saved, x.err = c.store.Events.Upsert(ctx, x.id, func(e *ticket.Event, p *ticket.EventParts, exists bool) error {
			if e.Name = root.Name; exists {
				return c.change(x, c.begin(x, "Update"), p.Ticket)
			}
			for _, t := range c.insert(x) {
				p.Ticket.Insert(t)
			}
			return nil
		})
	default:
		saved, x.err = c.store.Events.Update(ctx, x.id, func(e *ticket.Event, p *ticket.EventParts) error {
			e.Name = root.Name
			return c.change(x, c.begin(x, "Update"), p.Ticket)
		})
	}
	if x.err == nil && saved != nil {
		c.known[x.id] = saved
	}
}

// find reads tickets by a barcode: each has values that it has had.
func (c *ticketClient) find(x *invocation) {
	for r, err := range c.store.TicketsByBarcode.Of("b1").All(context.Background()) {
		if x.err = err; err != nil {
			return
		}
		v := ticketValues{barcode: r.Barcode}
		if r.Holder != nil {
			v.holder = *r.Holder
		}
		if row := "tickets_by_barcode" + expectedCopies(r.EventID, r.Number, v)["tickets_by_barcode"]; !c.w.had[row] {
			c.w.failf("%s has found %s, which no ticket has had", x.label, row)
		}
	}
}

// reconcile reconciles all tables.
func (c *ticketClient) reconcile(x *invocation) {
	x.op = "Reconcile"
	_, x.err = c.store.Reconcile(context.Background(), c.w.reconcileConfig("events", nil))
}

// begin returns the effect of the next attempt of a call.
func (c *ticketClient) begin(x *invocation, op string) *ticketEffect {
	e := &ticketEffect{op: op, reads: map[int32]ticketValues{}}
	c.w.last[x], x.effect = e, e
	return e
}

// ticket returns a ticket with random values.
func (c *ticketClient) ticket(id, key int32) *ticket.Ticket {
	v := &ticket.Ticket{EventID: id, Number: key, Barcode: fmt.Sprint("b", 1+c.rng.IntN(2)), Cents: int64(c.rng.IntN(1000))}
	if c.chance(70) {
		v.Holder = new(fmt.Sprint("h", c.rng.IntN(2)))
	}
	return v
}

// insert returns the tickets of a new event.
func (c *ticketClient) insert(x *invocation) (tickets []*ticket.Ticket) {
	e := c.begin(x, "Insert")
	for key := range int32(ticketKeys) {
		if c.chance(40) {
			v := c.ticket(x.id, key+1)
			tickets = append(tickets, v)
			e.writes = append(e.writes, ticketWrite{op: "Put", key: key + 1, values: newTicketValues(v)})
		}
	}
	return tickets
}

// change reads and writes some tickets.
func (c *ticketClient) change(x *invocation, e *ticketEffect, p ticket.TicketParts) error {
	low, end := int32(0), int32(0)
	if c.chance(30) {
		low = 1 + int32(c.rng.IntN(ticketKeys))
		end = low + 1 + int32(c.rng.IntN(ticketKeys))
		p.Of().NumberFrom(low).NumberBefore(end).Delete()
		e.writes = append(e.writes, ticketWrite{op: "Delete range", key: low, end: end})
	}
	for key := range int32(ticketKeys) {
		if key++; low <= key && key < end {
			continue
		}
		old := c.ticket(x.id, key)
		if c.chance(40) {
			there, err := p.Get(key)
			switch {
			case errors.Is(err, mapper.ErrNotFound):
				e.reads[key] = ticketValues{}
			case err != nil:
				return err
			default:
				e.reads[key], old = newTicketValues(there), there
			}
		}
		c.write(e, p, old)
	}
	return nil
}

// write writes a ticket, or does not. old is a ticket that the function has read, or one with any values.
func (c *ticketClient) write(e *ticketEffect, p ticket.TicketParts, old *ticket.Ticket) {
	v := c.ticket(old.EventID, old.Number)
	t := ticketWrite{op: []string{"", "", "Insert", "Put", "Change", "Delete"}[c.rng.IntN(6)], key: old.Number, values: newTicketValues(v)}
	switch t.op {
	case "Insert":
		p.Insert(v)
	case "Put":
		p.Put(v)
	case "Change":
		t.cents = true
		changed := *old
		changed.Cents = old.Cents + 1 + v.Cents
		t.values.cents = changed.Cents
		p.Change(old, &changed)
	case "Delete":
		p.Delete(old.Number)
	default:
		return
	}
	e.writes = append(e.writes, t)
}
