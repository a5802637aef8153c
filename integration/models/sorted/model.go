// Package sorted is a model whose rows are sorted by values of all types that can be in a clustering key.
package sorted

import (
	"math/big"
	"net/netip"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Place is a value in a clustering key.
type Place struct{ X, Y int32 }

// Rank is an enumeration, which is sorted by its names.
type Rank int32

// The ranks.
const (
	Alpha Rank = iota
	Beta
	Gamma
)

// Up has all types in ascending order.
type Up struct {
	aml.Aggregate `aml:"ups"`

	Shelf   string              `aml:"shelf,identifier"`
	Flag    bool                `aml:"flag,discriminator"`
	Word    string              `aml:"word,discriminator"`
	Tiny    int8                `aml:"tiny,discriminator"`
	Small   int16               `aml:"small,discriminator"`
	Number  int32               `aml:"number,discriminator"`
	Large   int64               `aml:"large,discriminator"`
	Single  float32             `aml:"single,discriminator"`
	Double  float64             `aml:"double,discriminator"`
	Bytes   []byte              `aml:"bytes,discriminator"`
	At      time.Time           `aml:"at,discriminator"`
	Day     time.Time           `aml:"day,discriminator,type=date"`
	Clock   time.Duration       `aml:"clock,discriminator,type=time"`
	ID      gocql.UUID          `aml:"id,discriminator"`
	Made    gocql.UUID          `aml:"made,discriminator,type=timeuuid"`
	Whole   *big.Int            `aml:"whole,discriminator"`
	Part    *inf.Dec            `aml:"part,discriminator"`
	Address netip.Addr          `aml:"address,discriminator"`
	List    []int32             `aml:"list,discriminator,final,max=9"`
	Set     map[string]struct{} `aml:"set,discriminator,final,max=9"`
	Map     map[int32]string    `aml:"map,discriminator,final,max=9"`
	Spot    Place               `aml:"spot,composition,final,discriminator"`
	Rank    Rank                `aml:"rank,discriminator,enum"`
	Note    string              `aml:"note"`
}

// Down has the rows of Up in descending order.
type Down struct {
	aml.Aggregate `aml:"downs,redundant=Up"`

	Shelf   string              `aml:"shelf,identifier"`
	Flag    bool                `aml:"flag,discriminator,desc"`
	Word    string              `aml:"word,discriminator,desc"`
	Tiny    int8                `aml:"tiny,discriminator,desc"`
	Small   int16               `aml:"small,discriminator,desc"`
	Number  int32               `aml:"number,discriminator,desc"`
	Large   int64               `aml:"large,discriminator,desc"`
	Single  float32             `aml:"single,discriminator,desc"`
	Double  float64             `aml:"double,discriminator,desc"`
	Bytes   []byte              `aml:"bytes,discriminator,desc"`
	At      time.Time           `aml:"at,discriminator,desc"`
	Day     time.Time           `aml:"day,discriminator,desc,type=date"`
	Clock   time.Duration       `aml:"clock,discriminator,desc,type=time"`
	ID      gocql.UUID          `aml:"id,discriminator,desc"`
	Made    gocql.UUID          `aml:"made,discriminator,desc,type=timeuuid"`
	Whole   *big.Int            `aml:"whole,discriminator,desc"`
	Part    *inf.Dec            `aml:"part,discriminator,desc"`
	Address netip.Addr          `aml:"address,discriminator,desc"`
	List    []int32             `aml:"list,discriminator,desc,final"`
	Set     map[string]struct{} `aml:"set,discriminator,desc,final"`
	Map     map[int32]string    `aml:"map,discriminator,desc,final"`
	Spot    Place               `aml:"spot,composition,discriminator,desc,final"`
	Rank    Rank                `aml:"rank,discriminator,desc"`
	Note    string              `aml:"note"`
}

// Step is a row without copies, in the reverse order.
type Step struct {
	aml.Aggregate `aml:"steps"`

	Shelf  string    `aml:"shelf,identifier"`
	At     time.Time `aml:"at,discriminator,desc"`
	Number int32     `aml:"number,discriminator,desc"`
	Note   string    `aml:"note"`
}

// Leg has columns of both orders.
type Leg struct {
	aml.Aggregate `aml:"legs"`

	Shelf string `aml:"shelf,identifier"`
	One   int32  `aml:"one,discriminator,desc"`
	Two   int32  `aml:"two,discriminator"`
	Three int32  `aml:"three,discriminator"`
}

// Trip has a discriminator with the name of a method.
type Trip struct {
	aml.Aggregate `aml:"trips"`

	Shelf string `aml:"shelf,identifier"`
	From  int32  `aml:"'from',discriminator"`
	Until int32  `aml:"until,discriminator"`
}
