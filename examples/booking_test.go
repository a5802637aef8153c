package examples

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/examples/booking/hotel"
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A room has at most one booking for a night, and an e-mail belongs to one guest. A booking is confirmed once, and a save with an
// earlier version is refused.
func TestBooking(t *testing.T) {
	p := run(t, hotel.Schema, hotel.Demo)
	p.sent(t, `
		1: write rooms
		2: compare and set guests__email_unique
		2: compare and set guests
		3: compare and set guests__email_unique
		3: read guests
		4: compare and set guests__email_unique
		4: compare and set guests
		5: read guests__email_unique
		5: read guests
		6: compare and set bookings
		6: [[write bookings_by_guest, write bookings__sync]]
		7: compare and set bookings
		7: read bookings
		8: read bookings
		9: read bookings
		9: compare and set bookings
		9: [[write bookings_by_guest, write bookings__sync]]
		10: read bookings
		11: compare and set bookings
		12: read bookings_by_guest
		13: read bookings
		13: read bookings
		13: compare and set bookings
		13: [[delete bookings_by_guest, write bookings__sync]]
		14: compare and set bookings
		14: read bookings
		14: read bookings__sync
		14: compare and set bookings
		14: [[write bookings_by_guest, write bookings__sync]]`)
	p.says(t, `
		mapper: Insert Guest (guests id=00000000-0000-0000-0000-000000000002): Email email='ana@example.com' is taken by Guest (guests id=00000000-0000-0000-0000-000000000001)
		Bia has this e-mail
		mapper: Insert Booking (bookings room='101', night=2026-07-01): already exists
		the booking is not pending
		mapper: Change Booking (bookings room='101', night=2026-07-01): the version has changed
		room 101 on 2026-07-01, confirmed`)
	p.holds(t, "bookings_by_guest", `
		{"guest_id": "00000000-0000-0000-0000-000000000002", "night": "2026-07-01", "room": "101", "state": "pending"}`)
}

// On the backend in memory, 100 clients race for an e-mail, a room, a confirmation, a form and a cancellation.
func TestBookingsRaceInMemory(t *testing.T) {
	t.Parallel()
	store, err := hotel.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	testBookingsRace(t, store)
}

// The same clients race on a node, where conditional statements can time out.
func TestBookingsRaceOnANode(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	require.NoError(t, example.Apply(session, hotel.Schema))
	store, err := hotel.Open(t.Context(), session, mapper.Config{Timeout: time.Minute})
	require.NoError(t, err)
	testBookingsRace(t, store)
}

// racers is the number of clients that write at the same time.
const racers = 100

// testBookingsRace makes many clients call the same method at the same time. One call succeeds, all others return the error for the
// reason, and the copies are correct as soon as all calls have returned.
func testBookingsRace(t *testing.T, store *hotel.Store) {
	ctx, service := t.Context(), hotel.NewService(store)
	night := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)

	winner := race(t, func(i int) error {
		return service.Register(ctx, &hotel.Guest{ID: guest(i), Name: "Ana", Email: "ana@example.com"})
	}, func(err error) bool { _, ok := errors.AsType[*mapper.DuplicateError](err); return ok })
	for i := range racers {
		_, err := store.Guests.Get(ctx, guest(i))
		if i == winner {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, mapper.ErrNotFound)
		}
	}

	winner = race(t, func(i int) error { return service.Book(ctx, "101", night, guest(i)) }, is(mapper.ErrExists))
	requireBooking(t, store, night, guest(winner), hotel.Pending)

	race(t, func(int) error { return service.Confirm(ctx, "101", night) }, is(hotel.ErrNotPending))
	requireBooking(t, store, night, guest(winner), hotel.Confirmed)

	form, err := store.Bookings.Get(ctx, "101", night)
	require.NoError(t, err)
	winner = race(t, func(i int) error {
		changed := *form
		changed.GuestID = guest(i)
		return service.Save(ctx, form, &changed)
	}, is(mapper.ErrConflict))
	requireBooking(t, store, night, guest(winner), hotel.Confirmed)

	seen, err := store.Bookings.Get(ctx, "101", night)
	require.NoError(t, err)
	race(t, func(int) error { return service.Cancel(ctx, seen) }, is(mapper.ErrConflict))
	require.Empty(t, bookings(t, store))
	_, err = store.Bookings.Get(ctx, "101", night)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// race runs do for all clients at once, and returns the client that succeeded.
func race(t *testing.T, do func(client int) error, lost func(error) bool) (winner int) {
	t.Helper()
	var wg sync.WaitGroup
	start, errs := make(chan struct{}), make([]error, racers)
	for i := range racers {
		wg.Go(func() { <-start; errs[i] = do(i) })
	}
	close(start)
	wg.Wait()
	winners := 0
	for i, err := range errs {
		if err == nil {
			winner, winners = i, winners+1
			continue
		}
		assert.True(t, lost(err), "%v", err)
	}
	require.Equal(t, 1, winners)
	return winner
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// requireBooking requires that there is one booking, in the table of bookings and in that of its guest.
func requireBooking(t *testing.T, store *hotel.Store, night time.Time, of gocql.UUID, state hotel.State) {
	t.Helper()
	b, err := store.Bookings.Get(t.Context(), "101", night)
	require.NoError(t, err)
	for latest, err := range store.With(mapper.Options{Serial: true}).Bookings.Of("101").All(t.Context()) {
		require.NoError(t, err)
		require.Equal(t, b, latest)
	}
	require.Equal(t, &hotel.Booking{Room: "101", Night: night, GuestID: of, State: state, Version: b.Version}, b)
	require.Equal(t, []hotel.BookingByGuest{{GuestID: of, Night: night, Room: "101", State: state}}, bookings(t, store))
}

// bookings returns the rows of the redundant table.
func bookings(t *testing.T, store *hotel.Store) (out []hotel.BookingByGuest) {
	t.Helper()
	for i := range racers {
		for b, err := range store.BookingsByGuest.Of(guest(i)).All(t.Context()) {
			require.NoError(t, err)
			out = append(out, *b)
		}
	}
	return out
}

// guest returns the id of a client's guest, which is not zero.
func guest(client int) gocql.UUID { return gocql.UUID{15: byte(client + 1)} }
