// Package hotel books rooms. A room has at most one booking for a night, a booking is confirmed at most once, and an e-mail
// belongs to one guest, however many clients write at the same time.
//
// The room and the night are the key of a booking, so an Insert of a second one is refused. The state of a booking is changed
// only if it has not changed since it was read, because a booking has a version. The e-mail is a unique value, which the store
// claims before it writes a guest.
//
// With a version each write is a conditional statement, which costs several round trips between the servers. Rooms are written
// rarely, and by one clerk, so they have no version.
package hotel

import (
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Room is a room of the hotel.
type Room struct {
	aml.Aggregate `aml:"rooms"`

	Number string `aml:"number,identifier"`
	Beds   int8   `aml:"beds"`
}

// Guest is a person who books rooms. No two guests have the same e-mail.
type Guest struct {
	aml.Aggregate `aml:"guests"`

	ID      gocql.UUID `aml:"id,identifier"`
	Name    string     `aml:"name,required"`
	Email   string     `aml:"email,required,unique"`
	Version int64      `aml:"version,version"`
}

// Booking is a booking of a room for one night.
type Booking struct {
	aml.Aggregate `aml:"bookings,rows=1000"`

	Room    string     `aml:"room,identifier,association=Room"`
	Night   time.Time  `aml:"night,discriminator,type=date"`
	GuestID gocql.UUID `aml:"guest_id,required,association=Guest"`
	State   State      `aml:"state,required"`
	Version int64      `aml:"version,version"`
}

// BookingByGuest is the redundant aggregate: the bookings of a guest, by night.
type BookingByGuest struct {
	aml.Aggregate `aml:"bookings_by_guest,redundant=Booking,rows=100"`

	GuestID gocql.UUID `aml:"guest_id,identifier"`
	Night   time.Time  `aml:"night,discriminator,type=date"`
	Room    string     `aml:"room,discriminator"`
	State   State      `aml:"state"`
}

// State is the state of a booking.
type State string

// The states of a booking. A booking that is cancelled is deleted.
const (
	Pending   State = "pending"
	Confirmed State = "confirmed"
)
