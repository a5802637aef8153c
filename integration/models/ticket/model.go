// Package ticket is a model with redundant tables of parts of versioned roots. One root has a head row, a copy and a unique value; the other has
// several identifiers, and copies of the elements of its parts.
package ticket

import (
	"strings"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Event sells tickets.
type Event struct {
	aml.Aggregate `aml:"events,headrow"`

	ID      int32  `aml:"id,identifier"`
	Name    string `aml:"name,required"`
	Code    string `aml:"code,unique"`
	Sold    int32  `aml:"sold"`
	Version int64  `aml:"version,version"`
}

// EventByName finds events by their name.
type EventByName struct {
	aml.Aggregate `aml:"events_by_name,redundant=Event"`

	Name string `aml:"name,identifier"`
	ID   int32  `aml:"id,discriminator"`
	Sold int32  `aml:"sold"`
}

// Ticket is a ticket of an event.
type Ticket struct {
	aml.Entity `aml:"events,part=Event,rows=1000"`

	EventID int32   `aml:"id,identifier"`
	Number  int32   `aml:"number,discriminator"`
	Barcode string  `aml:"barcode,required"`
	Holder  *string `aml:"holder"`
	Cents   int64   `aml:"cents"`
	Seat    *Seat   `aml:"seat,composition"`
}

// Seat is where the holder of a ticket sits.
type Seat struct {
	Row  string
	Seat int32
}

// Initial returns the first letter of the holder, in lower case; "-" without one.
func (t *Ticket) Initial() string {
	if t.Holder == nil || *t.Holder == "" {
		return "-"
	}
	return strings.ToLower((*t.Holder)[:1])
}

// TicketByBarcode finds tickets by their barcode.
type TicketByBarcode struct {
	aml.Aggregate `aml:"tickets_by_barcode,redundant=Ticket"`

	Barcode string  `aml:"barcode,identifier"`
	EventID int32   `aml:"event_id,discriminator"`
	Number  int32   `aml:"number,discriminator"`
	Holder  *string `aml:"holder"`
	Seat    *Seat   `aml:"seat,composition"`
}

// TicketByInitial finds tickets that have a holder by the first letter of the holder.
type TicketByInitial struct {
	aml.Aggregate `aml:"tickets_by_initial,redundant=Ticket,when=Ticket.Holder"`

	Initial string `aml:"initial,identifier,from=Ticket.Initial()"`
	Number  int32  `aml:"number,discriminator"`
	EventID int32  `aml:"event_id,discriminator"`
	Cents   int64  `aml:"cents"`
}

// Hall has shifts. Only its parts have redundant tables.
type Hall struct {
	aml.Aggregate `aml:"halls"`

	City    string `aml:"city,identifier"`
	Number  int32  `aml:"number,identifier"`
	Shifts  int32  `aml:"shifts"`
	Version int64  `aml:"version,version"`
}

// Shift is a part of a hall.
type Shift struct {
	aml.Entity `aml:"halls,part=Hall,rows=100"`

	City   string          `aml:"city,identifier"`
	Number int32           `aml:"number,identifier"`
	Day    int32           `aml:"day,discriminator,desc"`
	Kind   string          `aml:"kind,discriminator"`
	Crew   map[string]bool `aml:"crew,max=10"`
}

// ShiftByPerson finds the shifts of a person.
type ShiftByPerson struct {
	aml.Aggregate `aml:"shifts_by_person,redundant=Shift.Crew"`

	Person string `aml:"person,identifier,from=Shift.Crew.$key"`
	Day    int32  `aml:"day,discriminator,from=Shift.Day"`
	Kind   string `aml:"kind,discriminator,from=Shift.Kind"`
	City   string `aml:"city,discriminator,from=Shift.City"`
	Number int32  `aml:"number,discriminator,from=Shift.Number"`
	Lead   bool   `aml:"lead,from=Shift.Crew.$value"`
}
