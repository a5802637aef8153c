package parts

import "github.com/cassaml/cassaml/aml"

type Auction struct {
	aml.Aggregate `aml:"auctions"`

	ID      int32 `aml:",identifier"`
	Version int64 `aml:",version"`
}

type Bid struct {
	aml.Entity `aml:"auctions,part=Auction"`

	ID    int32 `aml:"id,identifier"`
	Cents int64 `aml:",discriminator"`
}

// AuctionParts and BidParts have the names of types of the parts.
type (
	AuctionParts struct{}
	BidParts     struct{}
)
