package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/testdata/golden/hotel"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// hotelClient is a program with a store of the hotel, whose requests are recorded.
type hotelClient struct {
	*hotel.Store
	storetest.Requests
}

func openTracedHotel(t *testing.T, backend *memory.Backend) *hotelClient {
	t.Helper()
	c := &hotelClient{}
	store, err := hotel.OpenBackend(t.Context(), backend, mapper.Config{Tracer: &c.Requests})
	require.NoError(t, err)
	c.Store = store
	return c
}

// requireRequests requires that a call sends these requests: each has its kind and its tables, and a batch has the table of each
// statement.
func (c *hotelClient) requireRequests(t *testing.T, call func() error, want ...string) {
	t.Helper()
	c.Drain()
	require.NoError(t, call())
	require.Equal(t, inOrder(want), inOrder(kinds(c.Drain())))
}

// inOrder sorts the successive requests of one kind for reservations, which a call sends at the same time.
func inOrder(requests []string) []string {
	out := slices.Clone(requests)
	kind := func(s string) string {
		k, _, _ := strings.Cut(s, ":")
		return strings.TrimPrefix(k, "serial ")
	}
	for i := 0; i < len(out); {
		n := i + 1
		for strings.HasSuffix(out[i], "_unique") && n < len(out) && strings.HasSuffix(out[n], "_unique") && kind(out[n]) == kind(out[i]) {
			n++
		}
		slices.Sort(out[i:n])
		i = n
	}
	return out
}

func kinds(sent []mapper.Request) (out []string) {
	for _, q := range sent {
		text := kind(q) + ":"
		for _, s := range q.Statements {
			text += " " + s.Table
		}
		out = append(out, text)
	}
	return out
}

func kind(q mapper.Request) string {
	switch {
	case q.Conditional:
		return "if"
	case q.Batch == mapper.LoggedBatch:
		return "batch"
	case q.Timestamp != 0:
		return "write"
	case q.SerialConsistency != 0:
		return "serial read"
	}
	return "read"
}

func hotelGuest() *hotel.Guest {
	return &hotel.Guest{ID: 1, Name: "Ana", Email: "ana@example.com", Passport: hotel.Passport{Country: "BR", Number: "7"}, Cards: []hotel.Card{{Number: "c1"}}}
}

// The store sends one conditional statement for each save of a root without unique values and redundant tables. It reads the row only
// if the caller has not passed the old row or its version.
func TestRequestsOfVersionedRootsWithoutCopies(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := openTracedHotel(t, memory.New(memory.Config{}))
	b := &hotel.Booking{Room: "7", Night: "2026-11-22", Guest: 1, State: "pending"}
	c.requireRequests(t, func() error { return c.Bookings.Insert(ctx, b) }, "if: bookings")
	confirmed := *b
	confirmed.State = "confirmed"
	c.requireRequests(t, func() error { return c.Bookings.Change(ctx, b, &confirmed) }, "if: bookings")
	b.V = 0
	c.requireRequests(t, func() error { return c.Bookings.Put(ctx, b) }, "read: bookings", "if: bookings")
	update := func() error {
		_, err := c.Bookings.Update(ctx, b.Room, b.Night, func(b *hotel.Booking) error { b.Guest++; return nil })
		return err
	}
	c.requireRequests(t, update, "read: bookings", "if: bookings")
	c.requireRequests(t, func() error { _, err := c.Bookings.Get(ctx, b.Room, b.Night); return err }, "read: bookings")
	c.requireRequests(t, func() error { return c.Bookings.Delete(ctx, b.Room, b.Night) }, "read: bookings", "if: bookings")
	c.requireRequests(t, func() error { return c.Bookings.Delete(ctx, b.Room, b.Night) }, "read: bookings")
	c.requireRequests(t, func() error { return c.Bookings.Insert(ctx, b) }, "if: bookings", "serial read: bookings", "if: bookings")
	c.requireRequests(t, func() error { return c.Bookings.DeleteAt(ctx, b.Room, b.Night, b.V) }, "read: bookings", "if: bookings")
	page := func() error { _, err := c.Bookings.Of(b.Room).Page(ctx, ""); return err }
	c.requireRequests(t, page, "read: bookings")
}

// For each new unique value the store sends one conditional statement before the save. For each value that the save drops, it sends a
// read before it and a conditional statement after it. The copies are written as one batch.
func TestRequestsOfVersionedRootsWithUniqueValues(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := openTracedHotel(t, memory.New(memory.Config{}))
	update := func(change func(*hotel.Guest)) func() error {
		return func() error {
			_, err := c.Guests.Update(ctx, 1, func(g *hotel.Guest) error { change(g); return nil })
			return err
		}
	}

	ana := &hotel.Guest{ID: 1, Name: "Ana", Email: "ana@example.com", Passport: hotel.Passport{Country: "BR", Number: "7"}}
	c.requireRequests(t, func() error { return c.Guests.Insert(ctx, ana) },
		"if: guests__email_unique", "if: guests__passport_unique", "if: guests", "batch: guests_by_email guests__sync")
	named := *ana
	named.Name = "Ana Maria"
	c.requireRequests(t, func() error { return c.Guests.Change(ctx, ana, &named) }, "read: guests__email_unique", "if: guests", "write: guests_by_email")
	c.requireRequests(t, update(func(g *hotel.Guest) { g.Cards = []hotel.Card{{Number: "c1"}, {Number: "c2"}} }),
		"read: guests", "if: guests__cards_number_unique", "if: guests__cards_number_unique", "read: guests__email_unique", "if: guests",
		"batch: guests_by_email guests_by_card guests_by_card guests__sync")
	c.requireRequests(t, update(func(g *hotel.Guest) { g.Name = "Bia" }),
		"read: guests", "read: guests__email_unique", "if: guests", "batch: guests_by_email guests_by_card guests_by_card guests__sync")
	c.requireRequests(t, update(func(g *hotel.Guest) { g.Cards = g.Cards[:1] }),
		"read: guests", "read: guests__email_unique", "serial read: guests__cards_number_unique", "if: guests",
		"batch: guests_by_card guests_by_email guests_by_card guests__sync", "if: guests__cards_number_unique")
	c.requireRequests(t, update(func(g *hotel.Guest) { g.Name = "Eva" }),
		"read: guests", "read: guests__sync", "read: guests__email_unique", "if: guests", "batch: guests_by_email guests_by_card guests__sync")
	c.requireRequests(t, update(func(g *hotel.Guest) { g.Name = "Ivo" }),
		"read: guests", "read: guests__email_unique", "if: guests", "batch: guests_by_email guests_by_card guests__sync")
	c.requireRequests(t, update(func(g *hotel.Guest) { g.Cards[0].Number = "c2" }),
		"read: guests", "if: guests__cards_number_unique", "if: guests__cards_number_unique", "read: guests__email_unique", "serial read: guests__cards_number_unique", "if: guests",
		"batch: guests_by_card guests_by_email guests_by_card guests__sync", "if: guests__cards_number_unique")
	c.requireRequests(t, func() error { return c.Guests.Delete(ctx, 1) },
		"read: guests", "read: guests__sync",
		"serial read: guests__email_unique", "serial read: guests__passport_unique", "serial read: guests__cards_number_unique",
		"if: guests", "batch: guests_by_card guests_by_email guests__sync",
		"if: guests__email_unique", "if: guests__passport_unique", "if: guests__cards_number_unique")
}

// A refused save writes neither the root nor its copies. An Insert then reads the row to determine whether it is deleted.
func TestRequestsOfRefusedSaves(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	backend := memory.New(memory.Config{})
	c, other := openTracedHotel(t, backend), openTracedHotel(t, backend)
	first := hotelGuest()
	require.NoError(t, c.Guests.Insert(ctx, first))
	refused := func(want error, call func() error, requests ...string) {
		t.Helper()
		c.requireRequests(t, func() error {
			require.ErrorIs(t, call(), want)
			return nil
		}, requests...)
	}
	refused(mapper.ErrExists, func() error { return c.Guests.Insert(ctx, hotelGuest()) },
		"if: guests__email_unique", "if: guests__passport_unique", "if: guests__cards_number_unique",
		"if: guests__email_unique", "if: guests__passport_unique", "if: guests__cards_number_unique", "if: guests", "serial read: guests")

	_, err := other.Guests.Update(ctx, 1, func(g *hotel.Guest) error { g.Name = "Bia"; return nil })
	require.NoError(t, err)
	changed := *first
	changed.Name = "Eva"
	refused(mapper.ErrConflict, func() error { return c.Guests.Change(ctx, first, &changed) }, "read: guests__email_unique", "if: guests")
	refused(mapper.ErrConflict, func() error { return c.Guests.DeleteAt(ctx, 1, first.Version) }, "read: guests")

	taken := &hotel.Guest{ID: 2, Name: "Rui", Email: first.Email}
	c.requireRequests(t, func() error {
		_, duplicate := errors.AsType[*mapper.DuplicateError](c.Guests.Insert(ctx, taken))
		require.True(t, duplicate)
		return nil
	}, "if: guests__email_unique", "serial read: guests")
}

// A value that cannot be written is refused before it claims its unique values.
func TestRefusedValuesClaimNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := openTracedHotel(t, memory.New(memory.Config{}))
	withoutEmail := hotelGuest()
	withoutEmail.Email = ""
	var broken *mapper.ConstraintError
	require.ErrorAs(t, c.Guests.Insert(ctx, withoutEmail), &broken)
	require.Empty(t, c.Drain())
	large := hotelGuest()
	large.Name = strings.Repeat("x", 16<<20)
	var tooLarge *mapper.BatchTooLargeError
	require.ErrorAs(t, c.Guests.Insert(ctx, large), &tooLarge)
	require.Empty(t, c.Drain())
	booking := &hotel.Booking{Room: "1", State: strings.Repeat("x", 16<<20)}
	require.ErrorAs(t, c.Bookings.Insert(ctx, booking), &tooLarge, "no redundant table has the state")
	require.ErrorAs(t, c.Bookings.Change(ctx, &hotel.Booking{Room: "1", V: 1}, booking), &tooLarge)
	require.Empty(t, c.Drain())
	require.NoError(t, c.Guests.Insert(ctx, hotelGuest()))
}

// Conditional statements and serial reads have the serial consistency of the store; other requests have none.
func TestSerialConsistencyOfRequests(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, level := range []mapper.Consistency{mapper.Serial, mapper.LocalSerial} {
		sent := &storetest.Requests{}
		store, err := hotel.OpenBackend(ctx, memory.New(memory.Config{}), mapper.Config{Tracer: sent, SerialConsistency: level, Consistency: mapper.Quorum})
		require.NoError(t, err)
		require.NoError(t, store.Guests.Insert(ctx, hotelGuest()))
		_, err = store.With(mapper.Options{Serial: true}).Guests.Get(ctx, 1)
		require.NoError(t, err)
		_, err = store.Guests.Get(ctx, 1)
		require.NoError(t, err)
		got := sent.Drain()
		require.Equal(t, inOrder([]string{
			"if: guests__email_unique", "if: guests__passport_unique", "if: guests__cards_number_unique", "if: guests",
			"batch: guests_by_email guests_by_card guests__sync", "serial read: guests", "read: guests",
		}), inOrder(kinds(got)))
		for _, q := range got {
			require.Equal(t, mapper.Quorum, q.Consistency)
			serial := strings.HasPrefix(kind(q), "if") || strings.HasPrefix(kind(q), "serial")
			require.Equal(t, serial, q.SerialConsistency == level, kind(q))
			require.Equal(t, q.Conditional, strings.Contains(q.Statements[0].CQL, " IF "), q.Statements[0].CQL)
		}
	}
}
