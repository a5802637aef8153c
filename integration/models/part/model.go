// Package part is a model with parts: in tables of their own, with and without copies, and in the table of their root.
package part

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Game is a root with parts in tables of their own.
type Game struct {
	aml.Aggregate `aml:"games"`

	Region string     `aml:"region,identifier"`
	ID     gocql.UUID `aml:"id,identifier"`
	Name   string     `aml:"name,required"`
}

// GamesByName finds games.
type GamesByName struct {
	aml.Aggregate `aml:"games_by_name,redundant=Game"`

	Name   string     `aml:"name,identifier,from=Game.Name"`
	Region string     `aml:"region,discriminator,from=Game.Region"`
	ID     gocql.UUID `aml:"id,discriminator,from=Game.ID"`
}

// Round is a part without copies.
type Round struct {
	aml.Entity `aml:"rounds,part=Game,rows=400"`

	Region string     `aml:"region,identifier"`
	GameID gocql.UUID `aml:"game_id,identifier"`
	Number int32      `aml:"number,discriminator,desc"`
	Try    int32      `aml:"try,discriminator"`
	Winner string     `aml:"winner"`
	Moves  []string   `aml:"moves"`
}

// Guest is a part with copies in other partitions.
type Guest struct {
	aml.Entity `aml:"guests,part=Game,rows=400"`

	Region string     `aml:"region,identifier"`
	GameID gocql.UUID `aml:"game_id,identifier"`
	Seat   int32      `aml:"seat,discriminator"`
	Name   string     `aml:"name,required"`
	Tags   []string   `aml:"tags,unique"`
}

// GuestsByName finds the games of a guest.
type GuestsByName struct {
	aml.Aggregate `aml:"guests_by_name,redundant=Guest"`

	Name   string     `aml:"name,identifier,from=Guest.Name"`
	Region string     `aml:"region,discriminator,from=Guest.Region"`
	GameID gocql.UUID `aml:"game_id,discriminator,from=Guest.GameID"`
	Seat   int32      `aml:"seat,discriminator,from=Guest.Seat"`
	Tags   []string   `aml:"tags,unique,from=Guest.Tags"`
}

// Result is a part with at most one row.
type Result struct {
	aml.Entity `aml:"results,part=Game"`

	Region string     `aml:"region,identifier"`
	GameID gocql.UUID `aml:"game_id,identifier"`
	Points int64      `aml:"points"`
}

// Run is a root with the rows of a part in its table.
type Run struct {
	aml.Aggregate `aml:"runs"`

	ID    gocql.UUID        `aml:"id,identifier"`
	State string            `aml:"state,required"`
	Notes map[string]string `aml:"notes"`
	Owner string            `aml:"owner"`
}

// RunsByOwner finds runs.
type RunsByOwner struct {
	aml.Aggregate `aml:"runs_by_owner,redundant=Run"`

	Owner string     `aml:"owner,identifier,from=Run.Owner"`
	ID    gocql.UUID `aml:"id,discriminator,from=Run.ID"`
	State string     `aml:"state,from=Run.State"`
}

// Segment is a part in the table of its root, with a copy.
type Segment struct {
	aml.Entity `aml:"runs,part=Run,rows=5000"`

	RunID  gocql.UUID `aml:"id,identifier"`
	Number int32      `aml:"number,discriminator"`
	Word   string     `aml:"word"`
	Tokens []string   `aml:"tokens"`
}

// SegmentsByWord finds the segments with a word.
type SegmentsByWord struct {
	aml.Aggregate `aml:"segments_by_word,redundant=Segment"`

	Word   string     `aml:"word,identifier,from=Segment.Word"`
	RunID  gocql.UUID `aml:"run_id,discriminator,from=Segment.RunID"`
	Number int32      `aml:"number,discriminator,from=Segment.Number"`
}
