package hotel

import (
	"context"
	"errors"
	"time"

	"github.com/gocql/gocql"
)

// ErrNotPending is returned by Confirm if the booking is not pending.
var ErrNotPending = errors.New("the booking is not pending")

// Service books rooms.
type Service struct{ store *Store }

// NewService returns a service on a store.
func NewService(store *Store) Service { return Service{store} }

// Register adds a guest. It returns a *mapper.DuplicateError if another guest has the e-mail.
func (s Service) Register(ctx context.Context, g *Guest) error { return s.store.Guests.Insert(ctx, g) }

// GuestWith returns the guest with an e-mail. It returns mapper.ErrNotFound if no guest has it.
func (s Service) GuestWith(ctx context.Context, email string) (*Guest, error) {
	return s.store.Guests.GetByEmail(ctx, email)
}

// Book books a room for a night. It returns mapper.ErrExists if the room is booked.
func (s Service) Book(ctx context.Context, room string, night time.Time, guest gocql.UUID) error {
	return s.store.Bookings.Insert(ctx, &Booking{Room: room, Night: night, GuestID: guest, State: Pending})
}

// Confirm confirms a booking that is still pending. Its function runs again if another write comes in between, so the state that
// it checks is the state that it replaces.
func (s Service) Confirm(ctx context.Context, room string, night time.Time) error {
	_, err := s.store.Bookings.Update(ctx, room, night, func(b *Booking) error {
		if b.State != Pending {
			return ErrNotPending
		}
		b.State = Confirmed
		return nil
	})
	return err
}

// Save writes the booking of a form: opened is the booking that the form has shown, with its version. It returns mapper.ErrConflict if the
// booking has been written since.
func (s Service) Save(ctx context.Context, opened, changed *Booking) error {
	return s.store.Bookings.Change(ctx, opened, changed)
}

// Cancel deletes a booking as a client has seen it. It returns mapper.ErrConflict if the booking has been written since.
func (s Service) Cancel(ctx context.Context, seen *Booking) error {
	return s.store.Bookings.DeleteAt(ctx, seen.Room, seen.Night, seen.Version)
}
