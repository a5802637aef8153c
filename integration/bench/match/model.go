// Package match is the model with which parts and their elements are measured: a part without copies, one whose copy has another key,
// and one with a copy of each element.
package match

import (
	_ "embed"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Schema is the CQL of the tables.
//
//go:embed schema.cql
var Schema string

// Match is the root.
type Match struct {
	aml.Aggregate `aml:"matches"`

	ID   int64  `aml:"id,identifier"`
	Name string `aml:"name"`
}

// Round is a part without copies.
type Round struct {
	aml.Entity `aml:"rounds,part=Match,rows=400"`

	MatchID int64  `aml:"match_id,identifier"`
	Number  int32  `aml:"number,discriminator"`
	Text    string `aml:"text"`
	//aml:ignore AML903 with a maximum each method for an element would read the row
	Tags []string `aml:"tags,unique"`
}

// Guest is a part that is found by its name.
type Guest struct {
	aml.Entity `aml:"guests,part=Match,rows=400"`

	MatchID int64  `aml:"match_id,identifier"`
	Seat    int32  `aml:"seat,discriminator"`
	Name    string `aml:"name,required"`
}

// GuestByName finds guests.
//
//aml:ignore AML902 one writer at a time changes a guest
type GuestByName struct {
	aml.Aggregate `aml:"guests_by_name,redundant=Guest"`

	Name    string `aml:"name,identifier"`
	MatchID int64  `aml:"match_id,discriminator"`
	Seat    int32  `aml:"seat,discriminator"`
}

// Player is a part that is found by each of its tags.
type Player struct {
	aml.Entity `aml:"players,part=Match,rows=400"`

	MatchID int64  `aml:"match_id,identifier"`
	Seat    int32  `aml:"seat,discriminator"`
	Name    string `aml:"name,required"`
	//aml:ignore AML903 with a maximum each method for an element would read the row
	Tags []string `aml:"tags,unique"`
}

// PlayerByTag has a row for each tag.
//
//aml:ignore AML902 one writer at a time changes a player
type PlayerByTag struct {
	aml.Aggregate `aml:"players_by_tag,redundant=Player.Tags"`

	Tag     string `aml:"tag,identifier,from=Player.Tags.$value"`
	MatchID int64  `aml:"match_id,discriminator,from=Player.MatchID"`
	Seat    int32  `aml:"seat,discriminator,from=Player.Seat"`
}
