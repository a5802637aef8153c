package examples

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/examples/booking/hotel"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

var july = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)

// openHotel opens the booking service in memory.
func openHotel(t *testing.T, backend *memory.Backend, config mapper.Config) *hotel.Store {
	t.Helper()
	store, err := hotel.OpenBackend(t.Context(), backend, config)
	require.NoError(t, err)
	return store
}

// refuse refuses all writes of a table without a condition, or all with one.
func refuse(table string, conditional bool) func(memory.Request) memory.Outcome {
	return func(r memory.Request) memory.Outcome {
		if r.Write && r.Conditional == conditional && slices.Contains(r.Tables, table) {
			return memory.Refused
		}
		return memory.Done
	}
}

// nothing is a change that changes nothing.
func nothing(*hotel.Booking) error { return nil }

// A call succeeds as soon as the root is saved. The next save of the row writes the copies that could not be written, and until then
// a read with Options.Verified leaves out wrong rows.
func TestCopiesFollowWithTheNextSave(t *testing.T) {
	ctx, backend := t.Context(), memory.New(memory.Config{})
	store := openHotel(t, backend, mapper.Config{})
	verified := store.With(mapper.Options{Verified: true})
	b := &hotel.Booking{Room: "101", Night: july, GuestID: guest(1), State: hotel.Pending}

	backend.Intercept(refuse("bookings_by_guest", false))
	require.NoError(t, store.Bookings.Insert(ctx, b))
	require.Empty(t, bookings(t, store))
	backend.Intercept(nil)
	b, err := store.Bookings.Update(ctx, "101", july, nothing)
	require.NoError(t, err)
	requireBooking(t, store, july, guest(1), hotel.Pending)

	backend.Intercept(refuse("bookings_by_guest", false))
	moved := *b
	moved.GuestID = guest(2)
	require.NoError(t, store.Bookings.Change(ctx, b, &moved))
	backend.Intercept(nil)
	require.Equal(t, []hotel.BookingByGuest{{GuestID: guest(1), Night: july, Room: "101", State: hotel.Pending}}, bookings(t, store))
	_, err = verified.BookingsByGuest.Get(ctx, guest(1), july, "101")
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.Empty(t, bookings(t, verified))

	confirmed := moved
	confirmed.State = hotel.Confirmed
	require.NoError(t, store.Bookings.Change(ctx, &moved, &confirmed))
	require.Len(t, bookings(t, store), 2, "a Change does not delete the rows that an earlier save should have deleted")
	require.Len(t, bookings(t, verified), 1)
	_, err = store.Bookings.Update(ctx, "101", july, nothing)
	require.NoError(t, err)
	requireBooking(t, store, july, guest(2), hotel.Confirmed)
}

// A repeated Delete deletes the rows of copies that the first one could not delete.
func TestRepeatedDeleteFinishesTheFirst(t *testing.T) {
	ctx, backend := t.Context(), memory.New(memory.Config{})
	store := openHotel(t, backend, mapper.Config{})
	require.NoError(t, store.Bookings.Insert(ctx, &hotel.Booking{Room: "101", Night: july, GuestID: guest(1), State: hotel.Pending}))
	backend.Intercept(refuse("bookings_by_guest", false))
	require.NoError(t, store.Bookings.Delete(ctx, "101", july))
	backend.Intercept(nil)
	require.Len(t, bookings(t, store), 1)
	require.NoError(t, store.Bookings.Delete(ctx, "101", july))
	require.Empty(t, bookings(t, store))
}

// To exchange the unique values of two owners, one of them first has to take a third value.
func TestExchangeOfUniqueValues(t *testing.T) {
	ctx := t.Context()
	store := openHotel(t, memory.New(memory.Config{}), mapper.Config{})
	require.NoError(t, store.Guests.Insert(ctx, &hotel.Guest{ID: guest(1), Name: "Ana", Email: "a"}))
	require.NoError(t, store.Guests.Insert(ctx, &hotel.Guest{ID: guest(2), Name: "Bia", Email: "b"}))
	set := func(client int, email string) error {
		_, err := store.Guests.Update(ctx, guest(client), func(g *hotel.Guest) error { g.Email = email; return nil })
		return err
	}
	duplicate, ok := errors.AsType[*mapper.DuplicateError](set(1, "b"))
	require.True(t, ok)
	require.Equal(t, "id=00000000-0000-0000-0000-000000000003", duplicate.Owner)
	require.NoError(t, set(1, "c"))
	require.NoError(t, set(2, "a"))
	require.NoError(t, set(1, "b"))
}

// A write that is refused gives back the value that it has claimed. If its client dies, its own row can claim the value again at once, and
// others can when the lease has passed since the claim, also with calls that are shorter than the lease.
func TestClaimsOfWritesThatFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		store := openHotel(t, backend, mapper.Config{Lease: 50 * time.Millisecond})
		register := func(client int) error {
			return store.Guests.Insert(ctx, &hotel.Guest{ID: guest(client), Name: "Ana", Email: "a"})
		}
		backend.Intercept(refuse("guests", true))
		require.Error(t, register(1))
		backend.Intercept(nil)
		require.NoError(t, register(2), "the value was given back")
		require.NoError(t, store.Guests.Delete(ctx, guest(2)))

		backend.Intercept(func(r memory.Request) memory.Outcome {
			if r.Conditional && slices.Contains(r.Tables, "guests") {
				return memory.LostRequest
			}
			return memory.Done
		})
		short := store.With(mapper.Options{Timeout: 10 * time.Millisecond})
		dead := short.Guests.Insert(ctx, &hotel.Guest{ID: guest(1), Name: "Ana", Email: "a"})
		require.True(t, mapper.OutcomeUnknown(dead))
		backend.Intercept(nil)
		calls := 1
		for ; errors.Is(short.Guests.Insert(ctx, &hotel.Guest{ID: guest(3), Name: "Bia", Email: "a"}), mapper.ErrBusy); calls++ {
			require.Less(t, calls, 20)
		}
		require.Greater(t, calls, 2)
		_, ok := errors.AsType[*mapper.DuplicateError](register(1))
		require.True(t, ok)
	})
}

// If the answer to a save is lost, the store determines its outcome, unless no answer arrives before the time of the call ends.
func TestLostAnswersOfSaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		store := openHotel(t, backend, mapper.Config{Timeout: 100 * time.Millisecond})
		b := &hotel.Booking{Room: "101", Night: july, GuestID: guest(1), State: hotel.Pending}
		lost := 1
		backend.Intercept(func(r memory.Request) memory.Outcome {
			if r.Conditional && lost > 0 {
				lost--
				return memory.LostAnswer
			}
			return memory.Done
		})
		require.NoError(t, store.Bookings.Insert(ctx, b))
		lost = 1_000_000
		_, err := store.Bookings.Update(ctx, "101", july, nothing)
		require.True(t, mapper.OutcomeUnknown(err))
		require.False(t, mapper.SafeToRepeat(err))
		require.True(t, mapper.SafeToRepeat(store.Bookings.Delete(ctx, "101", july)))
	})
}

// A call with an option that a versioned aggregate does not support returns an error and sends nothing.
func TestOptionsOfVersionedAggregates(t *testing.T) {
	ctx, backend := t.Context(), memory.New(memory.Config{})
	store := openHotel(t, backend, mapper.Config{})
	backend.Intercept(func(r memory.Request) memory.Outcome {
		require.Fail(t, "a request was sent", "%v", r)
		return memory.Done
	})
	b := &hotel.Booking{Room: "101", Night: july, GuestID: guest(1), State: hotel.Pending}
	for _, o := range []mapper.Options{{TTL: time.Hour}, {Timestamp: time.Now().UnixMicro()}, {Serial: true}, {Verified: true}} {
		require.Error(t, store.With(o).Bookings.Insert(ctx, b), "%+v", o)
	}
	for _, err := range store.With(mapper.Options{Serial: true}).BookingsByGuest.Of(guest(1)).All(ctx) {
		require.Error(t, err)
	}
	_, err := store.With(mapper.Options{Verified: true}).Bookings.Get(ctx, "101", july)
	require.Error(t, err)
	for _, c := range []mapper.Config{{Lease: -1}, {Lease: time.Second, Timeout: time.Second}, {Timeout: -1}, {SerialConsistency: 7}} {
		_, err := hotel.OpenBackend(context.Background(), backend, c)
		require.Error(t, err, "%+v", c)
	}
}

// A deleted aggregate keeps its key, and its reservations keep their values. No read returns it, and its identifier can be used again.
func TestDeletedAggregatesKeepTheirKeys(t *testing.T) {
	ctx, backend := t.Context(), memory.New(memory.Config{})
	store := openHotel(t, backend, mapper.Config{})
	require.NoError(t, store.Guests.Insert(ctx, &hotel.Guest{ID: guest(1), Name: "Ana", Email: "a"}))
	require.NoError(t, store.Guests.Delete(ctx, guest(1)))
	require.Equal(t, []string{"", "version", "aml_attempts", "aml_deleted"}, columns(t, backend, "guests"))
	require.Equal(t, []string{"", "aml_at", "aml_floor"}, columns(t, backend, "guests__email_unique"))
	_, err := store.Guests.Get(ctx, guest(1))
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.NoError(t, store.Guests.Insert(ctx, &hotel.Guest{ID: guest(1), Name: "Bia", Email: "a"}))
	g, err := store.With(mapper.Options{Serial: true}).Guests.Get(ctx, guest(1))
	require.NoError(t, err)
	require.Equal(t, "Bia", g.Name)

	b := &hotel.Booking{Room: "101", Night: july, GuestID: guest(1), State: hotel.Pending}
	require.NoError(t, store.Bookings.Insert(ctx, b))
	require.NoError(t, store.Bookings.DeleteAt(ctx, "101", july, b.Version))
	require.NoError(t, store.Bookings.Insert(ctx, &hotel.Booking{Room: "101", Night: july.AddDate(0, 0, 1), GuestID: guest(2), State: hotel.Pending}))
	for row, err := range store.Bookings.Of("101").Limit(1).All(ctx) {
		require.NoError(t, err)
		require.Equal(t, guest(2), row.GuestID)
	}
}

// columns returns the names of the columns of a table that have a value.
func columns(t *testing.T, backend *memory.Backend, table string) (out []string) {
	t.Helper()
	cells, err := backend.Cells(table)
	require.NoError(t, err)
	for _, c := range cells {
		out = append(out, c.Column)
	}
	return slices.Compact(out)
}
