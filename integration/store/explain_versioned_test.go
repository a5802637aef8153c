package store

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/testdata/golden/hotel"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

const hotelModel = "../../codegen/testdata/golden/hotel"

// The store of a versioned model sends what aml explain prints: the requests of each operation in their order, each statement, and
// the requests that claim and release unique values.
func TestExplainVersioned(t *testing.T) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		explainVersioned(t, func(c mapper.Config) (*hotel.Store, error) {
			return hotel.OpenBackend(t.Context(), memory.New(memory.Config{}), c)
		})
	})
	t.Run("node", func(t *testing.T) {
		session := cassandra.Tables(t, schema.New(modelOf(t, hotelModel)).Statements()...)
		explainVersioned(t, func(c mapper.Config) (*hotel.Store, error) { return hotel.Open(t.Context(), session, c) })
	})
}

// explanation is the explanation of a versioned table, with the sent requests that match it.
type explanation struct {
	*explain.Table
	sent *interrupted
	seen map[*explain.Request][]mapper.Request // of all operations
	not  map[*explain.Request]bool             // the requests that at least one operation did not send
}

// interrupted records requests, and cancels a call instead of sending its first request that stop reports.
type interrupted struct {
	storetest.Requests
	mu     sync.Mutex // held while stop is read, called or set: a store claims several values at the same time
	stop   func(mapper.Request) bool
	cancel context.CancelFunc
	dead   bool // no request of the call is sent anymore
}

func (i *interrupted) Start(ctx context.Context, q mapper.Request) context.Context {
	if cancel, dead := i.interrupts(q); cancel != nil {
		cancel()
		if dead {
			ended, cancel := context.WithCancel(ctx)
			cancel()
			return ended
		}
		return ctx
	}
	return i.Requests.Start(ctx, q)
}

// interrupts returns what interrupts the call before a request; nil if nothing does. dead reports whether none of its requests is sent
// anymore.
func (i *interrupted) interrupts(q mapper.Request) (cancel func(), dead bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.stop == nil || !i.stop(q) {
		return nil, false
	}
	return i.cancel, i.dead
}

// set sets what interrupts a call, with its effect.
func (i *interrupted) set(stop func(mapper.Request) bool, cancel func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stop, i.cancel = stop, cancel
}

// during interrupts a call at the first request that stop reports.
func (i *interrupted) during(t *testing.T, stop func(mapper.Request) bool, call func(context.Context)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	i.set(stop, cancel)
	call(ctx)
	require.Error(t, ctx.Err(), "the call was interrupted")
	i.set(nil, nil)
	i.Drain()
}

// kill ends a call at the first request that stop reports, as if its client had died: none of its later requests is sent.
func (i *interrupted) kill(t *testing.T, stop func(mapper.Request) bool, call func(context.Context)) {
	t.Helper()
	i.during(t, func(q mapper.Request) bool {
		i.dead = i.dead || stop(q)
		return i.dead
	}, call)
	i.dead = false
}

// callBefore runs call, and calls then before its first request for which stop returns true.
func (i *interrupted) callBefore(stop func(mapper.Request) bool, then, call func()) {
	i.set(stop, sync.OnceFunc(func() {
		i.set(nil, nil)
		then()
	}))
	call()
	i.Drain()
}

func explainVersioned(t *testing.T, open func(mapper.Config) (*hotel.Store, error)) {
	sent := &interrupted{}
	store, err := open(mapper.Config{Tracer: sent, Lease: time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	for _, name := range []string{"guests", "bookings"} {
		x := &explanation{explained(t, hotelModel, name), sent, map[*explain.Request][]mapper.Request{}, map[*explain.Request]bool{}}
		require.Empty(t, x.Fields, "a save writes every field")
		if name == "bookings" {
			explainBookings(t, store, x)
		} else {
			explainGuests(t, store, x)
		}
		x.requireAll(t)
	}
}

// requireCall requires that a call sends the requests of an operation: all without a condition, in their order.
func (x *explanation) requireCall(t *testing.T, name string, call func() error) {
	t.Helper()
	x.sent.Drain()
	require.NoError(t, call())
	o := operation(t, x.Table, name)
	var always, got []*explain.Request
	for _, r := range o.Requests {
		if r.If == "" {
			always = append(always, r)
		}
	}
	matched := x.match(t, o)
	for _, r := range matched {
		if slices.Contains(always, r) {
			got = append(got, r)
		}
	}
	for _, r := range o.Requests {
		x.not[r] = x.not[r] || !slices.Contains(matched, r)
	}
	require.Equal(t, always, got)
	require.Len(t, always, o.RoundTrips)
}

// match finds the explained request for each request that was sent. The same statement can be explained twice, with different
// conditions.
func (x *explanation) match(t *testing.T, o *explain.Operation) (matched []*explain.Request) {
	t.Helper()
	explained := slices.Clone(o.Requests)
	for _, u := range x.Uniques {
		if o.Claims {
			explained = append(explained, u.Claim...)
		}
		if o.Releases {
			explained = append(explained, u.Release...)
		}
	}
	for _, q := range x.sent.Drain() {
		found := false
		for _, r := range explained {
			if !is(q, r) {
				continue
			}
			found = true
			matched, x.seen[r] = append(matched, r), append(x.seen[r], q)
		}
		require.True(t, found, "%s sends what is not explained: %+v", o.Name, q)
	}
	return matched
}

// is reports whether a sent request matches an explained one.
func is(q mapper.Request, r *explain.Request) bool {
	all := texts(r)
	return r.Read == (q.Timestamp == 0 && !q.Conditional) && r.Conditional == q.Conditional && (r.Serial || r.Conditional) == (q.SerialConsistency != 0) &&
		!slices.ContainsFunc(q.Statements, func(s mapper.Statement) bool { return !all[s.CQL] })
}

// requireAll requires that every explained request was sent, that each request with a condition was also omitted at least once, and
// that batches are as explained.
func (x *explanation) requireAll(t *testing.T) {
	t.Helper()
	for _, u := range x.Uniques {
		for _, r := range slices.Concat(u.Claim, u.Release) {
			require.NotEmpty(t, x.seen[r], "%s: %v", u.Fields, texts(r))
		}
	}
	for _, o := range x.Operations {
		if !slices.ContainsFunc(o.Requests, func(r *explain.Request) bool { return !r.Read }) {
			continue // the reads are compared in other tests
		}
		for _, r := range o.Requests {
			require.Equal(t, r.If != "", x.not[r], "%s: %s: %v", o.Name, r.If, texts(r))
			if !r.Read && !r.Conditional {
				requireSent(t, r, x.seen[r]...)
				continue
			}
			seen := map[string]bool{}
			for _, q := range x.seen[r] {
				seen[q.Statements[0].CQL] = true
			}
			require.Equal(t, texts(r), seen, o.Name)
		}
	}
}

func explainBookings(t *testing.T, store *hotel.Store, x *explanation) {
	ctx, bookings := t.Context(), store.Bookings
	b := &hotel.Booking{Room: "7", Night: "2026-11-22", Guest: 1, State: "pending"}
	x.requireCall(t, "Insert", func() error { return bookings.Insert(ctx, b) })
	other := *b
	other.Night = "2026-11-25"
	insertOrGet := func() error { _, err := bookings.InsertOrGet(ctx, &other); return err }
	x.requireCall(t, "InsertOrGet", insertOrGet)
	require.NoError(t, bookings.Delete(ctx, other.Room, other.Night))
	x.sent.Drain()
	require.NoError(t, insertOrGet())
	x.match(t, operation(t, x.Table, "InsertOrGet"))
	changed := *b
	changed.State = "confirmed"
	x.requireCall(t, "Change", func() error { return bookings.Change(ctx, b, &changed) })
	b.V = 0
	x.requireCall(t, "Put", func() error { return bookings.Put(ctx, b) })
	x.requireCall(t, "Update", func() error {
		_, err := bookings.Update(ctx, b.Room, b.Night, func(b *hotel.Booking) error { b.Guest++; return nil })
		return err
	})
	for night, guest := range map[string]int32{b.Night: 2, "2026-11-24": 3} {
		x.requireCall(t, "Upsert", func() error {
			_, err := bookings.Upsert(ctx, b.Room, night, func(b *hotel.Booking, _ bool) error { b.Guest, b.State = guest, "pending"; return nil })
			return err
		})
	}
	x.requireCall(t, "Delete", func() error { return bookings.Delete(ctx, b.Room, b.Night) })
	x.sent.Drain()
	require.NoError(t, bookings.Insert(ctx, b))
	x.match(t, operation(t, x.Table, "Insert"))
	x.requireCall(t, "DeleteAt", func() error { return bookings.DeleteAt(ctx, b.Room, b.Night, b.V) })
	b.Night = "2026-11-23"
	b.V = 0
	x.requireCall(t, "Put", func() error { return bookings.Put(ctx, b) })
	x.requireCall(t, "Get", func() error { _, err := bookings.Get(ctx, b.Room, b.Night); return err })
	x.requireCall(t, "Of", func() error { _, err := bookings.Of(b.Room).Page(ctx, ""); return err })
}

// guestNumber returns a guest whose unique values no other guest has.
func guestNumber(id int32) *hotel.Guest {
	n := strconv.Itoa(int(id))
	return &hotel.Guest{ID: id, Name: "Ana", Email: n, Passport: hotel.Passport{Country: "BR", Number: n}, Cards: []hotel.Card{{Number: n}, {Number: n + "b"}}}
}

// uniques contains the functions that set a unique value of a guest to that of another guest.
var uniques = map[string]func(g, of *hotel.Guest){
	"Email":                             func(g, of *hotel.Guest) { g.Email = of.Email },
	"Passport.Country, Passport.Number": func(g, of *hotel.Guest) { g.Passport = of.Passport },
	"Cards.Number":                      func(g, of *hotel.Guest) { g.Cards = of.Cards[:1] },
}

func explainGuests(t *testing.T, store *hotel.Store, x *explanation) {
	ctx, guests := t.Context(), store.Guests
	update := func(id int32, change func(*hotel.Guest)) {
		t.Helper()
		x.requireCall(t, "Update", func() error {
			_, err := guests.Update(ctx, id, func(g *hotel.Guest) error { change(g); return nil })
			return err
		})
	}
	cut := func(g *hotel.Guest) { g.Cards = g.Cards[:1] }
	rename := func(g *hotel.Guest) { g.Name += " Maria" }

	first := guestNumber(1)
	x.requireCall(t, "Insert", func() error { return guests.Insert(ctx, first) })
	update(1, rename)
	update(1, cut) // a row is pending
	update(1, rename)
	read, err := guests.Get(ctx, 1)
	require.NoError(t, err)
	for _, change := range []func(*hotel.Guest){rename, func(g *hotel.Guest) { g.Email, g.Cards = "other", nil }, rename} {
		changed := *read
		change(&changed)
		x.requireCall(t, "Change", func() error { return guests.Change(ctx, read, &changed) })
		read = &changed
	}
	first.Version = 0
	x.requireCall(t, "Put", func() error { return guests.Put(ctx, first) })
	x.requireCall(t, "Put", func() error { return guests.Put(ctx, guestNumber(1)) })
	x.requireCall(t, "Put", func() error { return guests.Put(ctx, guestNumber(2)) })
	for _, change := range []func(*hotel.Guest){func(g *hotel.Guest) { *g = *guestNumber(3) }, cut, rename} { // without a row, with one, with a pending row
		x.requireCall(t, "Upsert", func() error {
			_, err := guests.Upsert(ctx, 3, func(g *hotel.Guest, _ bool) error { change(g); return nil })
			return err
		})
	}
	for id := int32(10); id < 14; id++ { // with and without a pending row, by Delete and by DeleteAt
		g := guestNumber(id)
		require.NoError(t, guests.Insert(ctx, g))
		if id%2 == 1 {
			g, err = guests.Update(ctx, id, func(g *hotel.Guest) error { cut(g); return nil })
			require.NoError(t, err)
		}
		if id < 12 {
			x.requireCall(t, "Delete", func() error { return guests.Delete(ctx, id) })
		} else {
			x.requireCall(t, "DeleteAt", func() error { return guests.DeleteAt(ctx, id, g.Version) })
		}
	}

	require.NoError(t, guests.Insert(ctx, guestNumber(20)))
	x.sent.during(t, func(q mapper.Request) bool { return q.Batch == mapper.LoggedBatch }, func(ctx context.Context) {
		require.NoError(t, guests.Delete(ctx, 20), "the copies follow")
	})
	moved := guestNumber(20)
	moved.Email, moved.Cards = "moved", []hotel.Card{{Number: "moved"}}
	require.NoError(t, guests.Insert(ctx, moved))
	x.match(t, operation(t, x.Table, "Insert"))
	other := guestNumber(21)
	insertOrGet := func() error { _, err := guests.InsertOrGet(ctx, other); return err }
	x.requireCall(t, "InsertOrGet", insertOrGet)
	x.sent.during(t, func(q mapper.Request) bool { return q.Batch == mapper.LoggedBatch }, func(ctx context.Context) {
		require.NoError(t, guests.Delete(ctx, 21), "the copies follow")
	})
	other.Email, other.Cards = "moved again", []hotel.Card{{Number: "moved again"}}
	require.NoError(t, insertOrGet())
	x.match(t, operation(t, x.Table, "InsertOrGet"))
	explainClaims(t, guests, x)
	x.requireCall(t, "Get", func() error { _, err := guests.Get(ctx, 1); return err })
	for name, read := range map[string]func(of *hotel.Guest) (*hotel.Guest, error){
		"GetByEmail": func(of *hotel.Guest) (*hotel.Guest, error) { return guests.GetByEmail(ctx, of.Email) },
		"GetByPassport": func(of *hotel.Guest) (*hotel.Guest, error) {
			return guests.GetByPassport(ctx, of.Passport.Country, of.Passport.Number)
		},
		"GetByCardsNumber": func(of *hotel.Guest) (*hotel.Guest, error) { return guests.GetByCardsNumber(ctx, of.Cards[1].Number) },
	} {
		x.requireCall(t, name, func() error { _, err := read(guestNumber(2)); return err })
	}
}

// explainClaims takes over three values: one that was released, one that a guest without a row has claimed, and one that another
// guest has claimed.
func explainClaims(t *testing.T, guests hotel.GuestsTable, x *explanation) {
	t.Helper()
	ctx, id := t.Context(), int32(100)
	next := func() *hotel.Guest { id++; return guestNumber(id) }
	insert := operation(t, x.Table, "Insert")
	saves := func(q mapper.Request) bool { return q.Conditional && q.Statements[0].Table == "guests" }
	for _, u := range x.Uniques {
		take := uniques[u.Fields]
		claim := func(of *hotel.Guest) {
			t.Helper()
			x.sent.Drain()
			g := next()
			take(g, of)
			require.NoError(t, guests.Insert(ctx, g), u.Fields)
			x.match(t, insert)
		}
		released := next()
		require.NoError(t, guests.Insert(ctx, released))
		_, err := guests.Update(ctx, released.ID, func(g *hotel.Guest) error { take(g, next()); return nil })
		require.NoError(t, err)
		claim(released)

		absent := next()
		x.sent.callBefore(saves, func() { claim(absent) }, func() { require.Error(t, guests.Insert(ctx, absent)) })

		claimed := next()
		x.sent.callBefore(saves, func() { claim(claimed) }, func() {
			_, err := guests.Update(ctx, released.ID, func(g *hotel.Guest) error { take(g, claimed); return nil })
			require.Error(t, err)
		})

		exists := next()
		require.NoError(t, guests.Insert(ctx, exists))
		x.sent.Drain()
		again := *exists
		require.ErrorIs(t, guests.Insert(ctx, &again), mapper.ErrExists)
		x.match(t, insert)
	}
}
