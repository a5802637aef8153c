// Package stock is the model of a shipping yard, with the constructs of redundant tables that package workshop does not
// have: rows that are added and removed, that are shared and that expire, static columns, alternatives, methods, and columns
// that can be set without a read.
package stock

import (
	"fmt"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Crate is in a hall: the source of all tables except visits.
type Crate struct {
	aml.Aggregate `aml:"crates"`

	Hall    string           `aml:"hall,identifier"`
	ID      int32            `aml:"id,discriminator"`
	Manager string           `aml:"manager,static"`
	Name    string           `aml:"name"`
	Weight  int32            `aml:"weight"`
	Sealed  bool             `aml:"sealed"`
	Sender  *Party           `aml:"sender,composition"`
	Stamp   Party            `aml:"stamp,composition,final"`
	Prices  map[string]int64 `aml:"prices,max=9"`
	Labels  []string         `aml:"labels,unique,max=5"`
	Route   []Stop           `aml:"route,composition,final,max=7"`
	Carrier string           `aml:"carrier"`
	Ship    *string          `aml:"ship,xor=Carrier"`
	Truck   *int32           `aml:"truck,xor=Carrier"`
	Mail    *string          `aml:"mail,any=contact"`
	Phone   *string          `aml:"phone,any=contact"`
}

// Party is a person or company of a crate.
type Party struct {
	Name string
	City string
}

// Stop is a place on the way of a crate.
type Stop struct {
	Port string
	Day  int32
}

// CrateInHall is a crate in the same partition, where the manager is also static.
type CrateInHall struct {
	aml.Aggregate `aml:"crates_in_hall,redundant=Crate"`

	Hall    string `aml:"hall,identifier"`
	ID      int32  `aml:"id,discriminator,desc"`
	Manager string `aml:"manager,static"`
	Weight  int32  `aml:"weight"`
	Sender  *Party `aml:"sender,composition"`
}

// CrateByID finds a crate by its number. Its owner and its stamps derive from columns of the crate.
type CrateByID struct {
	aml.Aggregate `aml:"crates_by_id,redundant=Crate"`

	ID     int32    `aml:"id,identifier"`
	Hall   string   `aml:"hall,discriminator"`
	Weight int32    `aml:"weight"`
	Owner  *Owner   `aml:"owner,composition,from=Crate.Sender"`
	Labels []string `aml:"labels,unique"`
	City   string   `aml:"city,from=Crate.Stamp.City"`

	Carrier string `aml:"carrier"`
}

// Owner is the part of a party that a row of a crate contains.
type Owner struct{ Name string }

// SealedCrate is a crate while it is sealed.
//
//aml:ignore AML902 one clerk at a time seals a crate
type SealedCrate struct {
	aml.Aggregate `aml:"sealed_crates,redundant=Crate,when=Crate.Sealed"`

	ID   int32  `aml:"id,identifier"`
	Hall string `aml:"hall,discriminator"`
	Name string `aml:"name"`
}

// RecentCrate is a crate that was written within a day.
type RecentCrate struct {
	aml.Aggregate `aml:"recent_crates,redundant=Crate,ttl=86400"`

	ID   int32  `aml:"id,identifier"`
	Hall string `aml:"hall,discriminator"`
	Name string `aml:"name"`
}

// Label is a label of any crate.
type Label struct {
	aml.Aggregate `aml:"labels,redundant=Crate.Labels,shared"`

	Label string `aml:"label,identifier,from=Crate.Labels.$value"`
}

// Price is a price of a crate, by purpose.
//
//aml:ignore AML902 one clerk at a time changes a crate
type Price struct {
	aml.Aggregate `aml:"prices,redundant=Crate.Prices"`

	For    string `aml:"for,identifier,from=Crate.Prices.$key"`
	Hall   string `aml:"hall,discriminator,from=Crate.Hall"`
	ID     int32  `aml:"id,discriminator,from=Crate.ID"`
	Amount int64  `aml:"amount,from=Crate.Prices.$value"`
}

// StopByPort finds a stop of a crate by its port.
//
//aml:ignore AML902 one clerk at a time routes a crate
type StopByPort struct {
	aml.Aggregate `aml:"stops_by_port,redundant=Crate.Route,distinct"`

	Port    string  `aml:"port,identifier"`
	Day     int32   `aml:"day,discriminator"`
	Hall    string  `aml:"hall,discriminator,from=Crate.Hall"`
	ID      int32   `aml:"id,discriminator,from=Crate.ID"`
	Carrier *string `aml:"carrier,from=Crate.Ship"`
}

// Visit expires after an hour, with its copies.
type Visit struct {
	aml.Aggregate `aml:"visits,ttl=3600"`

	Visitor string           `aml:"visitor,identifier"`
	Gate    string           `aml:"gate"`
	Badge   string           `aml:"badge"`
	Seen    map[string]int32 `aml:"seen,max=9"`
}

// VisitByGate finds a visit by its gate.
//
//aml:ignore AML902 a visitor passes one gate at a time
type VisitByGate struct {
	aml.Aggregate `aml:"visits_by_gate,redundant=Visit"`

	Gate    string `aml:"gate,identifier"`
	Visitor string `aml:"visitor,discriminator"`
}

// Guard is also found by a computed code.
type Guard struct {
	aml.Aggregate `aml:"guards"`

	ID   int32  `aml:"id,identifier"`
	Name string `aml:"name"`
	Rank int32  `aml:"rank"`
}

// Code returns the first letter of the guard's name and the rank.
func (g Guard) Code() string { return fmt.Sprintf("%.1s%d", g.Name, g.Rank) }

// GuardByCode finds a guard by that code.
//
//aml:ignore AML902 one clerk at a time promotes a guard
type GuardByCode struct {
	aml.Aggregate `aml:"guards_by_code,redundant=Guard"`

	Code string `aml:"code,identifier,from=Guard.Code()"`
	ID   int32  `aml:"id,discriminator"`
	Rank int32  `aml:"rank"`
}
