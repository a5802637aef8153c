package match

import (
	"context"
	_ "embed"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/examples/internal/show"
)

// Schema is the schema of this package.
//
//go:embed schema.cql
var Schema string

// Demo plays a game of five rounds, reads it and deletes it.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	game := &Game{GameID: id(1), First: id(2), Second: id(3), StartedAt: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)}
	s.Step("insert a game", func() error { return store.Games.Insert(ctx, game) })
	s.Step("play five rounds: each is one small row, in one statement", func() error {
		for n, move := range []string{"e4", "Nf3", "Bb5", "O-O", "Re1"} {
			if err := store.Rounds.Put(ctx, &Round{GameID: game.GameID, Number: int32(n + 1), Move: move, Points: 10}); err != nil {
				return err
			}
		}
		return nil
	})
	s.Step("change one round: it is read and written, whatever the number of rounds", func() error {
		_, err := store.Rounds.Update(ctx, game.GameID, 2, func(r *Round) error { r.Comment = "the usual move"; return nil })
		return err
	})
	s.Step("read the game without its rounds, then with all of them", func() error {
		if _, err := store.Games.Get(ctx, game.GameID); err != nil {
			return err
		}
		_, rounds, err := store.Games.GetWithRounds(ctx, game.GameID)
		if err != nil {
			return err
		}
		s.Printf("the game has %d rounds, the last move is %s", len(rounds), rounds[len(rounds)-1].Move)
		return nil
	})
	s.Step("take back the rounds from the fourth on: one statement", func() error {
		return store.Rounds.Of(game.GameID).NumberFrom(4).Delete(ctx)
	})
	s.Tables(ctx, "games", "rounds")
	s.Step("delete the game: its rounds go with it, in one request", func() error { return store.Games.Delete(ctx, game.GameID) })
	s.Tables(ctx, "games", "rounds")
	return s.Err()
}

// id returns an identifier that is the same in every run.
func id(last byte) (u gocql.UUID) {
	u[6], u[8], u[15] = 0x40, 0x80, last
	return u
}
