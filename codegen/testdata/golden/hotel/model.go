// Package hotel has versioned aggregates: with unique values, redundant tables, a clustering key and a view.
package hotel

import "github.com/cassaml/cassaml/aml"

// Guest is a person who books rooms. An e-mail and a passport each belong to one guest.
type Guest struct {
	aml.Aggregate `aml:"guests"`

	ID       int32             `aml:",identifier"`
	Name     string            `aml:",required"`
	Email    string            `aml:",unique"`
	Passport Passport          `aml:",composition"`
	Cards    []Card            `aml:",composition"`
	Notes    map[string]string `aml:",secret"`
	Version  int64             `aml:",version"`
}

// Passport is identified by its country and its number.
type Passport struct {
	Country string `aml:",unique=passport"`
	Number  string `aml:",unique=passport,secret"`
}

// Card is a loyalty card.
type Card struct {
	Number string `aml:",unique"`
	Points int32
}

// GuestByEmail finds a guest by the e-mail.
type GuestByEmail struct {
	aml.Aggregate `aml:"guests_by_email,redundant=Guest"`

	Email string `aml:",identifier"`
	ID    int32
	Name  string
}

// GuestByCard finds a guest by a card.
type GuestByCard struct {
	aml.Aggregate `aml:"guests_by_card,redundant=Guest.Cards"`

	Number string `aml:",identifier"`
	ID     int32  `aml:",discriminator,from=Guest.ID"`
	Points int32
}

// Booking reserves a room for a night.
type Booking struct {
	aml.Aggregate `aml:"bookings"`

	Room  string `aml:",identifier"`
	Night string `aml:",discriminator,desc"`
	Guest int32
	State string
	V     int64 `aml:"version,version"`
}

// BookingState is the state of a booking.
type BookingState struct {
	aml.Aggregate `aml:",of=Booking"`

	State string
}
