package growth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Sizes are the numbers of rounds of the published experiment.
var Sizes = []int{100, 200, 300, 400}

// roundBytes is the size of a round.
const roundBytes = 1750

// Config configures a measurement.
type Config struct {
	Sizes    []int     // numbers of rounds
	Games    int       // games of each variant and size; the fastest counts
	Progress io.Writer // gets a line for each game
}

// Result is the time of a game.
type Result struct {
	Variant string  `json:"variant"`
	Rounds  int     `json:"rounds"`
	Seconds float64 `json:"seconds"`
}

// variant is a way to store the rounds of a game.
type variant struct {
	name  string
	begin func(ctx context.Context, s *Store, id int64) error
	play  func(ctx context.Context, s *Store, id int64, n int32, text string) error
	count func(ctx context.Context, s *Store, id int64) (int, error)
}

var variants = []variant{
	{Parts,
		func(ctx context.Context, s *Store, id int64) error { return s.Games.Insert(ctx, &Game{ID: id}) },
		playPart,
		func(ctx context.Context, s *Store, id int64) (int, error) {
			_, rounds, err := s.Games.GetWithRounds(ctx, id)
			return len(rounds), err
		}},
	{"list",
		func(ctx context.Context, s *Store, id int64) error { return s.ListGames.Insert(ctx, &ListGame{ID: id}) },
		func(ctx context.Context, s *Store, id int64, n int32, text string) error {
			_, err := s.ListGames.Update(ctx, id, func(g *ListGame) error {
				g.Rounds = append(g.Rounds, Play{Number: n, Text: text})
				return nil
			})
			return err
		},
		func(ctx context.Context, s *Store, id int64) (int, error) {
			g, err := s.ListGames.Get(ctx, id)
			if err != nil {
				return 0, err
			}
			return len(g.Rounds), nil
		}},
	{"entry",
		func(ctx context.Context, s *Store, id int64) error { return s.MapGames.Insert(ctx, &MapGame{ID: id}) },
		func(ctx context.Context, s *Store, id int64, n int32, text string) error {
			if _, err := s.MapGames.Get(ctx, id); err != nil {
				return err
			}
			return s.MapGames.PutRounds(ctx, id, n, Play{Number: n, Text: text})
		},
		func(ctx context.Context, s *Store, id int64) (int, error) {
			g, err := s.MapGames.Get(ctx, id)
			if err != nil {
				return 0, err
			}
			return len(g.Rounds), nil
		}},
}

// Parts is the variant with which the others are compared.
const Parts = "parts"

// playPart reads the previous round of a game, and puts the next one.
func playPart(ctx context.Context, s *Store, id int64, n int32, text string) error {
	if _, err := s.Rounds.Get(ctx, id, n-1); err != nil && (n > 0 || !errors.Is(err, mapper.ErrNotFound)) {
		return err
	}
	return s.Rounds.Put(ctx, &Round{GameID: id, Number: n, Text: text})
}

// Run creates the tables and measures the games.
func Run(ctx context.Context, cluster *gocql.ClusterConfig, config Config) ([]Result, error) {
	session, err := gocqlx.WrapSession(cluster.CreateSession())
	if err != nil {
		return nil, fmt.Errorf("growth: %w", err)
	}
	defer session.Close()
	store, err := open(ctx, session)
	if err != nil {
		return nil, err
	}
	for i := range variants { // so that the first game does not wait for connections, statements and the server's compiler
		if _, err := measure(ctx, store, &variants[i], 0, config.Sizes[0]); err != nil {
			return nil, fmt.Errorf("growth: %s: %w", variants[i].name, err)
		}
	}
	var results []Result
	for _, size := range config.Sizes {
		fastest := make([]Result, len(variants))
		for game := range config.Games {
			for i := range variants {
				r, err := measure(ctx, store, &variants[i], int64(size)<<16+int64(game), size)
				if err != nil {
					return nil, fmt.Errorf("growth: %s, %d rounds: %w", variants[i].name, size, err)
				}
				fmt.Fprintf(config.Progress, "%s, %d rounds: %.2f s\n", r.Variant, r.Rounds, r.Seconds)
				if game == 0 || r.Seconds < fastest[i].Seconds {
					fastest[i] = r
				}
			}
		}
		results = append(results, fastest...)
	}
	return results, nil
}

// open creates the tables and opens the store.
func open(ctx context.Context, session gocqlx.Session) (*Store, error) {
	statements, err := folder.Split(Schema)
	if err != nil {
		return nil, err
	}
	for _, s := range statements {
		if err := session.ContextQuery(ctx, s.Text, nil).ExecRelease(); err != nil {
			return nil, fmt.Errorf("growth: %w", err)
		}
	}
	return Open(ctx, session, mapper.Config{Logger: slog.New(slog.DiscardHandler)})
}

// measure plays a game.
func measure(ctx context.Context, s *Store, v *variant, id int64, rounds int) (Result, error) {
	if err := v.begin(ctx, s, id); err != nil {
		return Result{}, err
	}
	text := strings.Repeat("x", roundBytes)
	began := time.Now()
	for n := range rounds {
		if err := v.play(ctx, s, id, int32(n), text); err != nil {
			return Result{}, err
		}
	}
	r := Result{v.name, rounds, time.Since(began).Seconds()}
	if n, err := v.count(ctx, s, id); err != nil || n != rounds {
		return r, fmt.Errorf("the game has %d rounds: %w", n, err)
	}
	return r, nil
}
