// Booking runs a service that books rooms: no room is booked twice for a night, no two guests have one e-mail, and a booking is
// confirmed only while it is pending, even if clients write at the same time.
//
//	go run ./examples/booking
package main

import (
	"github.com/cassaml/cassaml/examples/booking/hotel"
	"github.com/cassaml/cassaml/examples/internal/example"
)

func main() { example.Main("booking", hotel.Schema, hotel.Demo) }
