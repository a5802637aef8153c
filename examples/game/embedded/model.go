// Package embedded stores a game with its rounds in one row: one aggregate, with a growing list of rounds.
//
// It is one side of a published comparison (Poffo, 2016: rows that share a key, against one aggregate of NoAM); package parts
// is the other. Its strength is a complete game: one query reads it, one write stores it, and the rounds are in order. It costs
// reads: playing a round reads and writes all earlier rounds. In the experiment it was 50 % slower than rounds in separate rows
// at 70 rounds, and 2.6 times slower at 100.
package embedded

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

// Game is one game with all its rounds.
type Game struct {
	aml.Aggregate `aml:"games"`

	GameID    gocql.UUID `aml:"game_id,identifier"`
	First     gocql.UUID `aml:"first_player,association=Player"`
	Second    gocql.UUID `aml:"second_player,association=Player"`
	StartedAt time.Time  `aml:"started_at"`
	Rounds    []Round    `aml:"rounds,composition"` //aml:ignore AML903 the experiment measures how it grows
}

// Round is one round of a game: a value, identified by its position.
type Round struct {
	aml.ValueObject `aml:"round"`

	Move    string `aml:"move"`
	Answer  string `aml:"answer"`
	Comment string `aml:"comment"`
	Points  int32  `aml:"points"`
}
