// Package house stores an auction and its bids as one aggregate in many rows of one table: the auction's own fields
// are static columns, the bids are the rows of its partition.
//
// Use it if a rule of the root depends on its parts: a bid must be higher than all earlier bids, and no bid is accepted after the end.
// The version of the auction ensures both: a bid is saved together with the auction's new highest bid, in one conditional batch
// on one partition. Of two concurrent bids, one is refused, and the rules are checked again for it. The root contains the highest bid, so no
// other bid has to be read.
//
// Such a rule can depend on any number of rows. It costs a conditional write for each bid, and all bidders of one auction
// contend for its version: suitable for tens of bids per second, not for thousands.
package house

import (
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Auction is the root: the item, the end, and the highest bid so far.
//
//aml:ignore AML912 few bids are withdrawn
type Auction struct {
	aml.Aggregate `aml:"auctions"`

	AuctionID gocql.UUID  `aml:"auction_id,identifier"`
	Title     string      `aml:"title,required"`
	EndsAt    time.Time   `aml:"ends_at,required"`
	Highest   int64       `aml:"highest"`
	Winner    *gocql.UUID `aml:"winner"`
	Version   int64       `aml:"version,version"`
}

// Bid is a part of an auction, the highest first.
type Bid struct {
	aml.Entity `aml:"auctions,part=Auction,rows=1000"`

	AuctionID gocql.UUID `aml:"auction_id,identifier"`
	Cents     int64      `aml:"cents,discriminator,desc"`
	Bidder    gocql.UUID `aml:"bidder"`
	PlacedAt  time.Time  `aml:"placed_at,required"`
}

// BidSummary is a view for the list of bids.
type BidSummary struct {
	aml.Aggregate `aml:",of=Bid"`

	Cents    int64
	PlacedAt time.Time
}
