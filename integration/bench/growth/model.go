package growth

import (
	_ "embed"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Schema is the CQL of the tables.
//
//go:embed schema.cql
var Schema string

// Game is a game whose rounds are parts.
type Game struct {
	aml.Aggregate `aml:"games"`

	ID   int64  `aml:"id,identifier"`
	Name string `aml:"name"`
}

// Round is a round of a game.
type Round struct {
	aml.Entity `aml:"rounds,part=Game,rows=400"`

	GameID int64  `aml:"game_id,identifier"`
	Number int32  `aml:"number,discriminator"`
	Text   string `aml:"text"`
}

// Play is a round in the row of its game.
type Play struct {
	aml.ValueObject `aml:"play"`

	Number int32  `aml:"number"`
	Text   string `aml:"text"`
}

// ListGame is a game with a list of its rounds.
type ListGame struct {
	aml.Aggregate `aml:"list_games"`

	ID   int64  `aml:"id,identifier"`
	Name string `aml:"name"`
	//aml:ignore AML903 the experiment needs it
	Rounds []Play `aml:"rounds,composition"`
}

// MapGame is a game with a map of its rounds.
type MapGame struct {
	aml.Aggregate `aml:"map_games"`

	ID   int64  `aml:"id,identifier"`
	Name string `aml:"name"`
	//aml:ignore AML903 the experiment needs it
	Rounds map[int32]Play `aml:"rounds,composition"`
}
