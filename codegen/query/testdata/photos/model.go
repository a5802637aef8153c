// Package photos has indexes, values of many types, and rows that can be absent.
package photos

import (
	"math/big"
	"net/netip"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml"
)

// State is the state of a photo.
type State string

// The states.
const (
	Draft  State = "draft"
	Public State = "public"
)

// Photo is a picture of an album.
type Photo struct {
	aml.Aggregate `aml:"photos"`

	Album  string     `aml:"album,identifier"`
	Number int32      `aml:"number,discriminator"`
	State  State      `aml:"state,enum"`
	Tags   []string   `aml:"tags,unique,max=9,index"`
	Vector [3]float32 `aml:"v,index"`
	Camera string     `aml:"camera,index"`
	Lens   *string    `aml:"lens"`
	Type   string     `aml:"'type'"`
	Taken  time.Time  `aml:"taken"`
	Day    time.Time  `aml:"day,type=date"`
	Price  *inf.Dec   `aml:"price"`
	Views  *big.Int   `aml:"views"`
	Light  float64    `aml:"light"`
	Flash  bool       `aml:"flash"`
	Digest []byte     `aml:"digest"`
	Host   netip.Addr `aml:"host"`
	Batch  gocql.UUID `aml:"batch,type=timeuuid"`
}

// PublicPhoto has the photos that everybody sees, of a day.
type PublicPhoto struct {
	aml.Aggregate `aml:"public_photos,redundant=Photo,when='Photo.State = Public'"`

	Day    time.Time `aml:"day,identifier,type=date"`
	Album  string    `aml:"album,discriminator"`
	Number int32     `aml:"number,discriminator"`
}

// PhotoTag reads the tags alone.
type PhotoTag struct {
	aml.Aggregate `aml:",of=Photo"`

	Tags []string `aml:",unique"`
}
