package hotel

import (
	"context"
	_ "embed"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/examples/internal/show"
	"github.com/cassaml/cassaml/mapper"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Demo registers guests, who book, confirm, change and cancel.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	service := NewService(store)
	ana, bia, night := number(1), number(2), time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	s.Step("a room: it has no version, so this is a plain statement", func() error {
		return store.Rooms.Insert(ctx, &Room{Number: "101", Beds: 2})
	})
	s.Step("a guest: her e-mail is claimed, then her row is inserted", func() error {
		return service.Register(ctx, &Guest{ID: ana, Name: "Ana", Email: "ana@example.com"})
	})
	s.Step("another guest cannot have this e-mail", func() error {
		err := service.Register(ctx, &Guest{ID: bia, Name: "Bia", Email: "ana@example.com"})
		return show.RefusedAs[*mapper.DuplicateError](s, err)
	})
	s.Step("she registers with her own e-mail", func() error {
		return service.Register(ctx, &Guest{ID: bia, Name: "Bia", Email: "bia@example.com"})
	})
	s.Step("find her by her e-mail: read who has claimed it, then the row", func() error {
		g, err := service.GuestWith(ctx, "bia@example.com")
		if err == nil {
			s.Printf("%s has this e-mail", g.Name)
		}
		return err
	})
	s.Step("the first booking of the room for the night", func() error { return service.Book(ctx, "101", night, ana) })
	s.Step("the second one is refused", func() error {
		return s.Refused(service.Book(ctx, "101", night, bia), mapper.ErrExists)
	})
	confirm(ctx, s, store, night)
	s.Step("the bookings of a guest: one query of the redundant table", func() error {
		for b, err := range store.BookingsByGuest.Of(ana).All(ctx) {
			if err != nil {
				return err
			}
			s.Printf("room %s on %s, %s", b.Room, b.Night.Format(time.DateOnly), b.State)
		}
		return nil
	})
	cancel(ctx, s, store, night, bia)
	s.Tables(ctx, "guests", "bookings", "bookings_by_guest")
	return s.Err()
}

// confirm confirms a booking, while somebody else has it open in a form.
func confirm(ctx context.Context, s *show.Stage, store *Store, night time.Time) {
	service := NewService(store)
	var form *Booking
	s.Step("a clerk opens the booking in a form", func() (err error) {
		form, err = store.Bookings.Get(ctx, "101", night)
		return err
	})
	s.Step("confirm the booking: it is pending", func() error { return service.Confirm(ctx, "101", night) })
	s.Step("confirm it again: it is not pending any more, so nothing is written", func() error {
		return s.Refused(service.Confirm(ctx, "101", night), ErrNotPending)
	})
	s.Step("the clerk saves the form, which shows a pending booking: refused", func() error {
		changed := *form
		changed.GuestID = number(2)
		return s.Refused(service.Save(ctx, form, &changed), mapper.ErrConflict)
	})
}

// cancel deletes a booking; the room can then be booked again.
func cancel(ctx context.Context, s *show.Stage, store *Store, night time.Time, next gocql.UUID) {
	service := NewService(store)
	s.Step("cancel the booking: its row is marked as deleted, that of the redundant table is deleted", func() error {
		b, err := store.Bookings.Get(ctx, "101", night)
		if err != nil {
			return err
		}
		return service.Cancel(ctx, b)
	})
	s.Step("another guest books the room", func() error { return service.Book(ctx, "101", night, next) })
}

// number returns a UUID that is easy to recognize in the output; a service uses gocql.RandomUUID.
func number(n byte) gocql.UUID { return gocql.UUID{15: n} }
