// Package match stores a game and its rounds as one aggregate in many rows: the rounds are parts, rows of a separate table with
// the game's key.
//
// It is one side of a published comparison (Poffo, 2016: rows that share a key, against one aggregate of NoAM); package
// embedded is the other. Its strength is growth: playing a round reads and writes one small row, regardless of the number of
// rounds, and the rounds of a game are read page by page, in order. They share the game's partition key, so a game and a round
// written together are one mutation, and deleting the game deletes its rounds.
//
// It costs a second query for a complete game. A rule over all rounds (at most 400, the points add up) cannot be enforced,
// because the root does not load them. Package auction has such a rule and shows how to enforce it.
package match

import (
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Player is a participant.
type Player struct {
	aml.Aggregate `aml:"players"`

	PlayerID gocql.UUID `aml:"player_id,identifier"`
	Name     string     `aml:"name,required"`
	Score    int64      `aml:"score"`
}

// Game is one game; its rounds are read separately.
type Game struct {
	aml.Aggregate `aml:"games"`

	GameID    gocql.UUID `aml:"game_id,identifier"`
	First     gocql.UUID `aml:"first_player,association=Player"`
	Second    gocql.UUID `aml:"second_player,association=Player"`
	StartedAt time.Time  `aml:"started_at"`
}

// Round is one round of a game: a part, identified within its game by its number.
type Round struct {
	aml.Entity `aml:"rounds,part=Game,rows=400"`

	GameID  gocql.UUID `aml:"game_id,identifier"`
	Number  int32      `aml:"number,discriminator"`
	Move    string     `aml:"move"`
	Answer  string     `aml:"answer"`
	Comment string     `aml:"comment"`
	Points  int32      `aml:"points"`
}
