// Auction runs an auction whose bids are parts in its table. A bid is saved with the auction, and only if it is the highest at
// that time. Package house has the model.
//
//	go run ./examples/game/auction
package main

import (
	"github.com/cassaml/cassaml/examples/game/auction/house"
	"github.com/cassaml/cassaml/examples/internal/example"
)

func main() { example.Main("auction", house.Schema, house.Demo) }
