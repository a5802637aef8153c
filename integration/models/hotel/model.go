// Package hotel is the model of a hotel: versioned roots with unique values, with redundant tables of every kind, and with
// a clustering key.
package hotel

import (
	_ "embed"
	"strings"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Guest is a person who books rooms.
type Guest struct {
	aml.Aggregate `aml:"guests"`

	ID       int32    `aml:",identifier"`
	Name     string   `aml:",required"`
	Email    *string  `aml:",unique"`
	Phone    string   `aml:",unique,secret"`
	Country  *string  `aml:",unique=passport"`
	Passport *string  `aml:",unique=passport"`
	Cards    []Card   `aml:",composition,max=5"`
	Tags     []string `aml:",unique,max=5"`
	Notes    []string `aml:",max=5"`
	Home     *Address `aml:",composition"`
	Version  int64    `aml:",version"`
}

// Card is a loyalty card, which belongs to one guest.
type Card struct {
	aml.Entity

	Number string `aml:",identifier,unique"`
	Points int32
}

// Address is where a guest lives.
type Address struct {
	City   string
	Street string
}

// Initial returns the first letter of the name in upper case, or nil if the guest has no name.
func (g *Guest) Initial() *string {
	if g.Name == "" {
		return nil
	}
	s := strings.ToUpper(g.Name[:1])
	return &s
}

// GuestByEmail finds a guest by the e-mail. It does not contain the guest's identifier.
type GuestByEmail struct {
	aml.Aggregate `aml:"guests_by_email,redundant=Guest,when=Guest.Email"`

	Email string `aml:",identifier"`
	Name  string
	Notes []string
	Home  *Address `aml:",composition"`
}

// GuestByInitial finds guests by the letter that a method returns.
type GuestByInitial struct {
	aml.Aggregate `aml:"guests_by_initial,redundant=Guest,when=Guest.Initial()"`

	Initial string `aml:",identifier,from=Guest.Initial()"`
	ID      int32  `aml:",discriminator"`
	Name    string
}

// GuestByCard finds a guest by a card.
type GuestByCard struct {
	aml.Aggregate `aml:"guests_by_card,redundant=Guest.Cards"`

	Number string `aml:",identifier"`
	Points int32
	Guest  int32  `aml:",from=Guest.ID"`
	Name   string `aml:",from=Guest.Name"`
}

// GuestByTag finds guests by a tag.
type GuestByTag struct {
	aml.Aggregate `aml:"guests_by_tag,redundant=Guest.Tags"`

	Tag string `aml:",identifier,from=Guest.Tags.$value"`
	ID  int32  `aml:",discriminator,from=Guest.ID"`
}

// Booking reserves a room for a night.
type Booking struct {
	aml.Aggregate `aml:"bookings"`

	Room    string `aml:",identifier"`
	Night   int32  `aml:",discriminator,desc"`
	Guest   int32  `aml:",index"`
	State   string
	Version int64 `aml:",version"`
}

// BookingState is the state of a booking.
type BookingState struct {
	aml.Aggregate `aml:",of=Booking"`

	State string
}

// Schema is the CQL of the types and tables.
//
//go:embed schema.cql
var Schema string
