package simulation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/models/sale"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// TestPartSchedules runs several clients that write a versioned root and its parts in random schedules, with the faults of
// TestSchedules. In every schedule, a save and its writes of parts are applied together, at most once, and only to the parts that
// the function has read; parts that a write requires to exist or not to exist do so. No row of a deleted root appears again. The
// result of a call agrees with what was applied: an ErrExists or ErrNotFound describes a state that existed during the call. GetWithBid returns
// a root with its parts as they were at one time during the call. So does OfWithBid, or it returns a root and a later page without rows. A
// unique value of roots has one owner. In some schedules clients reconcile the tables meanwhile.
func TestPartSchedules(t *testing.T) {
	simulate(t, 1, func(w *world) {
		w.replicate()
		newBidWorld(w, false).play()
	})
}

// TestHeadRowSchedules is TestPartSchedules for auctions whose partitions begin with a head row. In every schedule, a partition has its head
// row from the first save of its root until the values of the deleted root are removed, and no read returns it.
func TestHeadRowSchedules(t *testing.T) {
	simulate(t, 2, func(w *world) {
		w.replicate()
		newBidWorld(w, true).play()
	})
}

// bidWorld is a world in which clients change auctions and their bids.
type bidWorld struct {
	*world
	heads  bool                         // partitions begin with a head row
	headed [auctionIDs]bool             // the partitions that must have a head row
	truth  auctions                     // without faults
	bids   [auctionIDs]map[int64]string // the notes of the bids, by their keys
	exists [auctionIDs]bool             // the auctions
	last   map[*invocation]*bidEffect   // the effects of the last attempts of calls
	puts   int32
	views  map[*view]bool                          // views that have not ended
	states [auctionIDs][]string                    // of the auctions, since the beginning
	seen   map[*invocation]map[bool]map[int64]bool // the keys of bids that existed, and that did not, at some time during a call; 0: the auction
}

const (
	auctionIDs = 2
	bidKeys    = 3
	appended   = 100 // the first key of the bids that a call appends
)

// view is a read of an auction with its bids, with the states that it can have seen.
type view struct {
	id     int
	states []string
}

// bidEffect is what an attempt of a call does.
type bidEffect struct {
	op     string
	at     int64            // the version that the auction must have; 0: any
	empty  bool             // the auction must have no bids
	reads  map[int64]string // the notes of the bids that the function has read; "" for none
	writes []bidWrite
}

// bidWrite is a write of one bid, or the deletion of a range.
type bidWrite struct {
	op   string
	key  int64
	note string
	end  int64 // the key after the last one of a range
}

func newBidWorld(w *world, heads bool) *bidWorld {
	b := &bidWorld{world: w, heads: heads, views: map[*view]bool{}, last: map[*invocation]*bidEffect{}, seen: map[*invocation]map[bool]map[int64]bool{}}
	w.effects, w.pages = map[plan.Attempt]any{}, true
	w.applied = b.check
	for id := range b.bids {
		b.bids[id] = map[int64]string{}
	}
	b.truth = b.open(w.observer())
	return b
}

func (w *bidWorld) open(c *client) auctions {
	config := c.config([]int{200, 400, 50 << 10}[w.rng.IntN(3)])
	if w.heads {
		s, err := sale.OpenBackend(w.t.Context(), c, config)
		require.NoError(w.t, err)
		return sales{s}
	}
	s, err := auction.OpenBackend(w.t.Context(), c, config)
	require.NoError(w.t, err)
	return newPlainAuctions(s)
}

// rootTable returns the name of the table of the auctions.
func (w *bidWorld) rootTable() string {
	if w.heads {
		return "sales"
	}
	return "auctions"
}

// hasHead reports whether the partition of an auction has its head row.
func (w *bidWorld) hasHead(id int) bool {
	p := w.aggregate(w.table(w.rootTable())).Versioning.Part
	key := idKey(int32(id))
	for _, v := range p.HeadKey {
		key = append(key, cell.Cell(v))
	}
	row, err := w.db.Row(w.t.Context(), &store.Lookup{Read: store.Read{Table: p.Table, Key: key}})
	if err != nil {
		w.failf("read the head row: %v", err)
	}
	return row != nil
}

func (w *bidWorld) play() {
	for range 2 + w.rng.IntN(4) {
		c := &bidClient{client: w.client(), w: w}
		c.store = w.open(c.client)
		w.start(c.client, c.call)
	}
	for range w.rng.IntN(6) - 3 {
		c := &bidClient{client: w.client(), w: w}
		c.store = w.open(c.client)
		w.start(c.client, func(x *invocation) { x.id = int32(c.rng.IntN(auctionIDs)); c.do(x, "Reconcile") })
	}
	w.run()
	if w.fault == "" {
		w.finish()
	}
}

// finish compares the results of the calls. In some schedules it also removes what is left of deleted auctions.
func (w *bidWorld) finish() {
	w.checkResults()
	w.land()
	if w.seed%4 == 0 {
		w.purge()
	}
}

// purge repairs the copies, and removes what is left of deleted auctions after gc_grace_seconds.
func (w *bidWorld) purge() {
	for range 2 {
		if err := w.truth.ReconcileAll(w.t.Context(), w.reconcileConfig(w.rootTable(), nil)); err != nil {
			w.failf("reconcile: %v", err)
		}
		w.compareAll()
		w.now += (w.gcGrace + 24*time.Hour).Microseconds()
	}
	for row, err := range w.db.Rows(w.t.Context(), store.Read{Table: w.table(w.rootTable())}) {
		if err != nil || !w.exists[row[0][3]] {
			w.failf("%q is left of a deleted auction", row)
		}
	}
	w.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
	for id := range w.bids {
		if w.heads && w.hasHead(id) != w.exists[id] {
			w.failf("auction %d exists: %v, and has a head row: %v", id, w.exists[id], w.hasHead(id))
		}
		if err := w.truth.Insert(w.t.Context(), &auction.Auction{ID: int32(id), Title: "new", Seller: "a"}); w.exists[id] != errors.Is(err, mapper.ErrExists) {
			w.failf("insert of auction %d: %v", id, err)
		}
	}
}

// compareAll compares the bids of all auctions and the copies with what was applied.
func (w *bidWorld) compareAll() {
	for id := range w.bids {
		w.compare(id)
		a, err := w.truth.Get(w.t.Context(), int32(id))
		if w.exists[id] != (err == nil) {
			w.failf("auction %d exists: %v, not %v", id, err, w.exists[id])
		}
		if a != nil {
			if err := w.truth.GetCopy(w.t.Context(), a.Seller, a.ID); err != nil {
				w.failf("the copy of auction %d: %v", id, err)
			}
		}
	}
}

// compare compares the bids of an auction in the table with what was applied.
func (w *bidWorld) compare(id int) {
	got := map[int64]string{}
	for b, err := range w.truth.Bids(w.t.Context(), int32(id)) {
		if err != nil {
			w.failf("read the bids: %v", err)
			return
		}
		got[b.Cents] = *b.Note
	}
	if !maps.Equal(got, w.bids[id]) {
		w.failf("auction %d has the bids %v, not %v", id, got, w.bids[id])
	}
}

// check checks a save that was applied.
func (w *bidWorld) check(a *plan.Aggregate, before, after *plan.State) {
	state := before
	if after != nil {
		state = after
	}
	id := int(state.Row[0][3])
	switch {
	case after == nil && before.Exists():
		w.failf("a row that is not deleted was removed")
	case after == nil:
	case after.Version <= before.CurrentVersion():
		w.failf("the version went from %d to %d", before.CurrentVersion(), after.Version)
	case len(after.Attempts) > 0 && (before == nil || len(before.Attempts) == 0 || lastAttempt(before) != lastAttempt(after)):
		x := w.saves[lastAttempt(after)]
		x.applied++
		w.carry(id, x, w.effects[lastAttempt(after)].(*bidEffect), before.Exists())
		count := func(s *plan.State) byte { c := named{a.Root, s.Row}.cell("count"); return c[len(c)-1] }
		if at := w.effects[lastAttempt(after)].(*bidEffect).at; at != 0 && at != before.CurrentVersion() {
			w.failf("%s has deleted the version %d, not %d", x.label, before.CurrentVersion(), at)
		}
		if x.op == "Append" && count(after) != count(before)+1 {
			w.failf("%s lost an increment: %d after %d", x.label, count(after), count(before))
		}
	}
	w.checkHead(id, after)
	w.compare(id)
	w.checkLot(a, after)
	w.states[id] = append(w.states[id], w.state(id))
	for v := range w.views {
		if v.id == id {
			v.states = append(v.states, w.state(id))
		}
	}
}

// checkHead checks whether the partition of an auction has its head row. A deleted auction keeps the one that it has.
func (w *bidWorld) checkHead(id int, after *plan.State) {
	if !w.heads {
		return
	}
	w.headed[id] = after.Exists() || after != nil && w.headed[id]
	if w.hasHead(id) != w.headed[id] {
		w.failf("auction %d has a head row: %v", id, !w.headed[id])
	}
}

// checkLot checks that no other auction has the lot of an auction.
func (w *bidWorld) checkLot(a *plan.Aggregate, s *plan.State) {
	if !s.Exists() {
		return
	}
	for id := range int32(auctionIDs) {
		o := w.stateOf(a, idKey(id))
		if !o.Exists() || plan.SameKey(o.Row, s.Row, a.Root.Key) {
			continue
		}
		if lot := (named{a.Root, s.Row}).cell("lot"); len(lot) > 0 && string(lot) == string(named{a.Root, o.Row}.cell("lot")) {
			w.failf("the lot %q has two auctions", lot)
		}
	}
}

// state returns the state of an auction with its bids as text.
func (w *bidWorld) state(id int) string {
	a := w.aggregate(w.table(w.rootTable()))
	s := w.stateOf(a, idKey(int32(id)))
	if !s.Exists() {
		return noView
	}
	n := named{a.Root, s.Row}
	return viewText(s.Version, string(n.cell("title")), string(n.cell("lot")), w.bids[id])
}

// noView is the text of an auction that does not exist.
const noView = "none"

// viewText returns an auction with its bids as text.
func viewText(version int64, title, lot string, bids map[int64]string) string {
	return fmt.Sprint(version, " ", title, " ", lot, " ", bids)
}

// carry makes the changes of an attempt that was applied in the expected bids.
func (w *bidWorld) carry(id int, x *invocation, e *bidEffect, existed bool) {
	bids := w.bids[id]
	if e.op != "Put" && existed == (e.op == "Insert") {
		w.failf("%s: the auction existed: %v", x.label, existed)
	}
	if e.op == "Delete" {
		if e.empty && len(bids) > 0 {
			w.failf("%s has deleted the bids %v, which it has not seen", x.label, bids)
		}
		clear(bids)
	}
	w.exists[id] = e.op != "Delete"
	for key, note := range e.reads {
		if bids[key] != note {
			w.failf("%s has read %q in bid %d, which had %q", x.label, note, key, bids[key])
		}
	}
	for _, b := range e.writes {
		if _, exists := bids[b.key]; b.op == "Insert" && exists || (b.op == "Change" || b.op == "Delete") && !exists {
			w.failf("%s: %s of bid %d, which existed: %v", x.label, b.op, b.key, exists)
		}
		switch b.op {
		case "Delete":
			delete(bids, b.key)
		case "Delete range":
			maps.DeleteFunc(bids, func(key int64, _ string) bool { return b.key <= key && key < b.end })
		default:
			bids[b.key] = b.note
		}
	}
	for _, c := range w.clients {
		if c.current != nil && int(c.current.id) == id && w.seen[c.current] != nil {
			w.see(c.current)
		}
	}
}

// see records which bids of the auction of a call exist.
func (w *bidWorld) see(x *invocation) {
	if w.seen[x] == nil {
		w.seen[x] = map[bool]map[int64]bool{true: {}, false: {}}
	}
	w.seen[x][w.exists[x.id]][0] = true
	for key := range int64(bidKeys) {
		_, exists := w.bids[x.id][key+1]
		w.seen[x][exists][key+1] = true
	}
}

// checkResults compares the results of the calls with the saves that were applied.
func (w *bidWorld) checkResults() {
	for _, c := range w.clients {
		for _, x := range c.calls {
			e := w.last[x]
			switch {
			case !x.ended || errors.Is(x.err, errDead) || e == nil:
			case x.applied > 1:
				w.failf("%s was applied %d times", x.label, x.applied)
			case x.err == nil && x.applied == 0 && x.op != "Delete":
				w.failf("%s succeeded and was not applied", x.label)
			case x.err != nil && x.applied > 0 && !mapper.OutcomeUnknown(x.err):
				w.failf("%s was applied and failed: %v", x.label, x.err)
			case errors.Is(x.err, mapper.ErrExists) && !w.was(x, true, e, "Insert"):
				w.failf("%s: %v, but nothing existed", x.label, x.err)
			case errors.Is(x.err, mapper.ErrNotFound) && !w.was(x, false, e, "Change", "Delete"):
				w.failf("%s: %v, but everything existed", x.label, x.err)
			}
		}
	}
}

// was reports whether the auction, or a bid for which an attempt has one of the operations, existed or not at some time during a
// call.
func (w *bidWorld) was(x *invocation, exists bool, e *bidEffect, ops ...string) bool {
	seen := w.seen[x][exists]
	if x.missed || seen[0] && (x.op == "Insert") == exists {
		return true
	}
	for _, b := range e.writes {
		for _, op := range ops {
			if b.op == op && seen[b.key] {
				return true
			}
		}
	}
	return false
}

// bidClient makes random calls that change auctions and bids.
type bidClient struct {
	*client
	w     *bidWorld
	store auctions
	known [auctionIDs]int64 // the versions that it has read last
}

func (c *bidClient) call(x *invocation) {
	x.id = int32(c.rng.IntN(auctionIDs))
	switch n := c.rng.IntN(31); {
	case n < 4:
		c.do(x, "Insert")
	case n < 5:
		c.do(x, "Put")
	case n < 7:
		c.do(x, "Delete")
	case n < 11:
		c.do(x, "GetWith")
	case n < 12:
		c.do(x, "DeleteAt")
	case n < 17:
		c.do(x, "Append")
	case n < 20:
		c.do(x, "Upsert")
	case n < 23:
		c.do(x, "DeleteEmpty")
	default:
		c.do(x, "Update")
	}
}

// do makes a call. Without a known version, DeleteAt is Delete.
func (c *bidClient) do(x *invocation, op string) {
	c.w.see(x)
	if op == "DeleteAt" && c.known[x.id] == 0 {
		op = "Delete"
	}
	ctx, root := context.Background(), &auction.Auction{ID: x.id, Title: x.label, Seller: string(rune('a' + c.rng.IntN(2)))}
	if c.chance(50) {
		root.Lot = c.lot()
	}
	switch x.op = op; op {
	case "Insert":
		x.err = c.store.InsertWith(ctx, root, c.insert(x)...)
	case "Put":
		c.w.puts++
		root.Count = c.w.puts * 1000 // the bids stay, so the next keys must be new
		c.begin(x, "Put")
		x.err = c.store.Put(ctx, root)
	case "Delete":
		c.begin(x, "Delete")
		x.err = c.store.Delete(ctx, x.id)
	case "DeleteAt":
		c.begin(x, "Delete").at = c.known[x.id]
		x.err = c.store.DeleteAt(ctx, x.id, c.known[x.id])
	case "DeleteEmpty":
		c.deleteEmpty(x)
	case "GetWith":
		c.getWith(x)
	case "Append":
		x.err = c.store.Update(ctx, x.id, func(a *auction.Auction, p bids) error {
			e := c.begin(x, "Update")
			a.Count++
			e.writes = append(e.writes, bidWrite{op: "Insert", key: appended + int64(a.Count), note: x.label})
			p.Insert(c.bid(x, appended+int64(a.Count)))
			return nil
		})
	case "Update":
		x.err = c.store.Update(ctx, x.id, func(a *auction.Auction, p bids) error {
			a.Title, a.Seller, a.Lot = root.Title, root.Seller, cmp.Or(root.Lot, a.Lot)
			return c.change(x, c.begin(x, "Update"), p)
		})
	case "Upsert":
		x.err = c.store.Upsert(ctx, x.id, func(a *auction.Auction, p bids, exists bool) error {
			if !exists {
				*a = *root
				return c.create(x, p)
			}
			a.Title = root.Title
			return c.change(x, c.begin(x, "Update"), p)
		})
	default:
		c.reconcile(x)
	}
}

// create writes bids of an auction that does not exist.
func (c *bidClient) create(x *invocation, p bids) error {
	bids := c.insert(x)
	for _, b := range bids {
		if _, err := p.Get(b.Cents, b.Bidder); !errors.Is(err, mapper.ErrNotFound) {
			c.w.failf("%s has read a bid of an auction that does not exist: %v", x.label, err)
		}
		if c.chance(50) {
			p.Insert(b)
		} else {
			p.Put(b)
		}
		if _, err := p.Get(b.Cents, b.Bidder); err != nil {
			c.w.failf("%s has not read the bid that it has written: %v", x.label, err)
		}
	}
	return nil
}

// insert returns the bids of a new auction.
func (c *bidClient) insert(x *invocation) (bids []*auction.Bid) {
	e := c.begin(x, "Insert")
	for key := range int64(bidKeys) {
		if c.chance(40) {
			bids = append(bids, c.bid(x, key+1))
			e.writes = append(e.writes, bidWrite{op: "Put", key: key + 1, note: x.label})
		}
	}
	return bids
}

// lot returns one of few lots, or none.
func (c *bidClient) lot() string { return []string{"", "l1", "l2"}[c.rng.IntN(3)] }

// reconcile compares the auctions, or one of them, with their copies and reservations.
func (c *bidClient) reconcile(x *invocation) {
	ctx := context.Background()
	if x.op = "Reconcile"; c.chance(50) {
		x.err = c.store.ReconcileAll(ctx, c.w.reconcileConfig(c.w.rootTable(), nil))
		return
	}
	earlier := &auction.Auction{ID: x.id, Title: "e", Lot: c.lot(), Seller: "a"}
	x.err = c.store.ReconcileOne(ctx, x.id, mapper.ReconcileConfig{}, earlier)
}

// getWith reads an auction with its bids: as they were at one time, and with Options.Serial at one time during the call. Without it, in a
// data centre that a save reaches later, the call can see the version of the save without all of its bids.
func (c *bidClient) getWith(x *invocation) {
	serial := c.chance(50)
	v := &view{int(x.id), []string{c.w.state(int(x.id))}}
	c.w.views[v] = true
	a, bids, err := c.store.With(mapper.Options{Serial: serial}).GetWithBid(context.Background(), x.id)
	delete(c.w.views, v)
	x.err = err
	got, notes := noView, map[int64]string{}
	for _, b := range bids {
		notes[b.Cents] = *b.Note
	}
	if err == nil {
		got, c.known[x.id] = viewText(a.Version, a.Title, a.Lot, notes), a.Version
	}
	if !serial && c.centre != nil {
		return
	}
	states := v.states
	if !serial {
		states = append(c.w.states[x.id], noView)
	}
	if (err == nil || errors.Is(err, mapper.ErrNotFound)) && !slices.Contains(states, got) {
		c.w.failf("%s has read %s, but the auction was %q", x.label, got, states)
	}
}

// deleteEmpty reads an auction with a page of its bids, and deletes it at the version that was read if the page has no rows.
func (c *bidClient) deleteEmpty(x *invocation) {
	ctx, v := context.Background(), &view{int(x.id), []string{c.w.state(int(x.id))}}
	c.w.views[v] = true
	a, page, err := c.store.With(mapper.Options{Serial: true}).PageWithBid(ctx, x.id)
	delete(c.w.views, v)
	if x.err = err; err != nil || page.Next != "" {
		return
	}
	notes := map[int64]string{}
	for _, b := range page.Items {
		notes[b.Cents] = *b.Note
	}
	got := viewText(a.Version, a.Title, a.Lot, notes)
	if len(notes) > 0 && !slices.Contains(v.states, got) || !c.seenEarlier(v, got, notes) {
		c.w.failf("%s has read %s, but the auction was %q", x.label, got, v.states)
	}
	if len(notes) == 0 {
		e := c.begin(x, "Delete")
		e.at, e.empty = a.Version, true
		x.err = c.store.DeleteAt(ctx, x.id, a.Version)
	}
}

// seenEarlier reports whether an auction without bids had its other values at some time during a call, and then no bids.
func (c *bidClient) seenEarlier(v *view, got string, notes map[int64]string) bool {
	root := strings.TrimSuffix(got, fmt.Sprint(notes))
	i := slices.IndexFunc(v.states, func(s string) bool { return strings.HasPrefix(s, root) })
	return i >= 0 && (len(notes) > 0 || slices.ContainsFunc(v.states[i:], func(s string) bool { return strings.HasSuffix(s, " map[]") || s == noView }))
}

// begin returns the effect of the next attempt of a call.
func (c *bidClient) begin(x *invocation, op string) *bidEffect {
	e := &bidEffect{op: op, reads: map[int64]string{}}
	c.w.last[x], x.effect = e, e
	return e
}

func (c *bidClient) bid(x *invocation, key int64) *auction.Bid {
	return &auction.Bid{AuctionID: x.id, Cents: key, Bidder: "b", State: auction.Active, Note: &x.label}
}

// change reads and writes some bids.
func (c *bidClient) change(x *invocation, e *bidEffect, p bids) error {
	low, end := c.deleteRange(e, p)
	for key := range int64(bidKeys) {
		key++
		if low <= key && key < end {
			if _, err := p.Get(key, "b"); !errors.Is(err, mapper.ErrNotFound) {
				c.w.failf("%s has read bid %d of the range that it has deleted: %v", x.label, key, err)
			}
			continue
		}
		old := c.bid(x, key)
		old.Note = nil
		if c.chance(40) {
			there, err := p.Get(key, "b")
			switch {
			case errors.Is(err, mapper.ErrNotFound):
				e.reads[key] = ""
			case err != nil:
				return err
			default:
				e.reads[key], old = *there.Note, there
			}
		}
		op := []string{"", "", "Insert", "Put", "Change", "Delete"}[c.rng.IntN(6)]
		b := bidWrite{op: op, key: key, note: x.label}
		if op != "" {
			e.writes = append(e.writes, b)
		}
		switch op {
		case "Insert":
			p.Insert(c.bid(x, key))
		case "Put":
			p.Put(c.bid(x, key))
		case "Change":
			p.Change(old, c.bid(x, key))
		case "Delete":
			p.Delete(key, "b")
		}
	}
	return nil
}

// deleteRange sometimes deletes a range of bids, or all bids that calls have appended. It returns the first key and the key after the last one.
func (c *bidClient) deleteRange(e *bidEffect, p bids) (low, end int64) {
	switch {
	case c.chance(70):
		return 0, 0
	case c.chance(30):
		low, end = appended, math.MaxInt64
		p.DeleteFrom(low)
	default:
		low = 1 + int64(c.rng.IntN(bidKeys))
		end = low + 1 + int64(c.rng.IntN(bidKeys))
		p.DeleteRange(low, end)
	}
	e.writes = append(e.writes, bidWrite{op: "Delete range", key: low, end: end})
	return low, end
}
