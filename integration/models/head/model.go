// Package head is a model of versioned roots with head rows: the part of one has discriminators of every type that a key can have, and the part
// of the other has an index on one.
package head

import (
	"math/big"
	"net/netip"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Board is the root. Its head rows have a value in each discriminator of Slot.
type Board struct {
	aml.Aggregate `aml:"boards,headrow"`

	ID      int32  `aml:"id,identifier"`
	Name    string `aml:"name"`
	Version int64  `aml:"version,version"`
}

// Slot is the part.
type Slot struct {
	aml.Entity `aml:"boards,part=Board,rows=10"`

	BoardID   int32            `aml:"id,identifier"`
	Bool      bool             `aml:",discriminator,desc"`
	Tiny      int8             `aml:",discriminator"`
	Small     int16            `aml:",discriminator"`
	Int       int32            `aml:",discriminator,desc"`
	Big       int64            `aml:",discriminator"`
	Float     float32          `aml:",discriminator"`
	Double    float64          `aml:",discriminator"`
	Text      string           `aml:",discriminator"`
	ASCII     string           `aml:",discriminator,type=ascii"`
	Blob      []byte           `aml:",discriminator"`
	Timestamp time.Time        `aml:",discriminator"`
	Date      time.Time        `aml:",discriminator,type=date"`
	Clock     time.Duration    `aml:",discriminator,type=time"`
	UUID      gocql.UUID       `aml:",discriminator"`
	TimeUUID  gocql.UUID       `aml:",discriminator,type=timeuuid"`
	Addr      netip.Addr       `aml:",discriminator"`
	Varint    *big.Int         `aml:",discriminator"`
	Decimal   *inf.Dec         `aml:",discriminator"`
	List      []int32          `aml:",discriminator,final"`
	Set       []string         `aml:",discriminator,final,unique"`
	Map       map[string]int32 `aml:",discriminator,final"`
	Point     Point            `aml:",discriminator,final,composition"`
	Note      string           `aml:"note"`
}

// Point is a place.
type Point struct{ X, Y int32 }

// Wall is a root. Its head rows have a value that an index finds.
type Wall struct {
	aml.Aggregate `aml:"walls,headrow"`

	ID      int32 `aml:"id,identifier"`
	Version int64 `aml:"version,version"`
}

// Brick is its part.
type Brick struct {
	aml.Entity `aml:"walls,part=Wall,rows=10"`

	WallID int32  `aml:"id,identifier"`
	Row    int32  `aml:"row,discriminator,desc"`
	Place  int32  `aml:"place,discriminator,index"`
	Color  string `aml:"color"`
}
