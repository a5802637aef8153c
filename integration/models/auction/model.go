// Package auction is a model with parts of versioned roots. One root has a copy and a unique value, and the parts of the
// other have no columns outside the key.
package auction

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Auction is a root with a unique value and a copy.
//
//aml:ignore AML912 package sale has head rows
type Auction struct {
	aml.Aggregate `aml:"auctions"`

	ID      int32  `aml:"id,identifier"`
	Title   string `aml:"title,required"`
	Lot     string `aml:"lot,unique"`
	Seller  string `aml:"seller"`
	Highest int64  `aml:"highest"`
	Count   int32  `aml:"count"`
	Version int64  `aml:"version,version"`
}

// AuctionsBySeller finds auctions.
type AuctionsBySeller struct {
	aml.Aggregate `aml:"auctions_by_seller,redundant=Auction"`

	Seller  string `aml:"seller,identifier,from=Auction.Seller"`
	ID      int32  `aml:"id,discriminator,from=Auction.ID"`
	Highest int64  `aml:"highest,from=Auction.Highest"`
}

// Bid is a part of an auction, the highest first.
type Bid struct {
	aml.Entity `aml:"auctions,part=Auction,rows=1000"`

	AuctionID int32            `aml:"id,identifier"`
	Cents     int64            `aml:"cents,discriminator,desc"`
	Bidder    string           `aml:"bidder,discriminator"`
	State     State            `aml:"state,enum"`
	Placed    string           `aml:"placed,final"`
	Note      *string          `aml:"note"`
	Tags      []string         `aml:"tags,unique,max=3"`
	Marks     map[string]int32 `aml:"marks,max=3"`
	Address   *Address         `aml:"address,composition"`
}

// State is the state of a bid.
type State string

// The states.
const (
	Active State = "active"
	Closed State = "closed"
)

// Address is where a bidder is.
type Address struct {
	Street string
	City   string
}

// BidNote is a view of a bid.
type BidNote struct {
	aml.Aggregate `aml:",of=Bid"`

	Cents int64
	Note  *string
}

// Shelf is a root whose parts have no column beyond the key.
type Shelf struct {
	aml.Aggregate `aml:"shelves,headrow"`

	Hall    string `aml:"hall,identifier"`
	Number  int32  `aml:"number,identifier"`
	Boxes   int32  `aml:"boxes"`
	Version int64  `aml:"version,version"`
}

// Box is a part of a shelf.
type Box struct {
	aml.Entity `aml:"shelves,part=Shelf,rows=10"`

	Hall   string `aml:"hall,identifier"`
	Number int32  `aml:"number,identifier"`
	Code   string `aml:"code,discriminator"`
}
