package growth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/migrate/folder"
)

// Rounds is the number of rounds of the longest published game.
const Rounds = 400

// Window is the number of rounds for which there is one result.
const Window = 50

// roundBytes is the size of a round.
const roundBytes = 1750

// Config configures a measurement.
type Config struct {
	Rounds   int       // the rounds of a game, a multiple of [Window]
	Games    int       // the games of each variant
	Progress io.Writer // gets a line for each game
}

// Result is the cost of the rounds up to a length of the game.
type Result struct {
	Variant string  `json:"variant"`
	Rounds  int     `json:"rounds"`
	Read    float64 `json:"read_ms"`  // the median of the last Window rounds of all games
	Write   float64 `json:"write_ms"` // the same
	Seconds float64 `json:"seconds"`  // the time of the game up to here, in the fastest game
}

// variant is a way to store the rounds of a game.
type variant struct {
	name  string
	begin func(ctx context.Context, s *Store, id int64) error
	// read reads before the round n, and returns the function that writes it.
	read  func(ctx context.Context, s *Store, id int64, n int32, text string) (write func() error, err error)
	count func(ctx context.Context, s *Store, id int64) (int, error)
}

var variants = []variant{
	{"parts",
		func(ctx context.Context, s *Store, id int64) error { return s.Games.Insert(ctx, &Game{ID: id}) },
		func(ctx context.Context, s *Store, id int64, n int32, text string) (func() error, error) {
			if _, err := s.Rounds.Get(ctx, id, n-1); err != nil && (n > 0 || !errors.Is(err, mapper.ErrNotFound)) {
				return nil, err
			}
			return func() error { return s.Rounds.Put(ctx, &Round{GameID: id, Number: n, Text: text}) }, nil
		},
		func(ctx context.Context, s *Store, id int64) (int, error) {
			_, rounds, err := s.Games.GetWithRounds(ctx, id)
			return len(rounds), err
		}},
	{"list",
		func(ctx context.Context, s *Store, id int64) error { return s.ListGames.Insert(ctx, &ListGame{ID: id}) },
		func(ctx context.Context, s *Store, id int64, n int32, text string) (func() error, error) {
			g, err := s.ListGames.Get(ctx, id)
			if err != nil {
				return nil, err
			}
			return func() error {
				return s.ListGames.SetRounds(ctx, id, append(g.Rounds, Play{Number: n, Text: text}))
			}, nil
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
		func(ctx context.Context, s *Store, id int64, n int32, text string) (func() error, error) {
			if _, err := s.MapGames.Get(ctx, id); err != nil {
				return nil, err
			}
			return func() error { return s.MapGames.PutRounds(ctx, id, n, Play{Number: n, Text: text}) }, nil
		},
		func(ctx context.Context, s *Store, id int64) (int, error) {
			g, err := s.MapGames.Get(ctx, id)
			if err != nil {
				return 0, err
			}
			return len(g.Rounds), nil
		}},
}

// Variants returns the names of the variants.
func Variants() (out []string) {
	for _, v := range variants {
		out = append(out, v.name)
	}
	return out
}

// game has the times of the rounds of a game.
type game struct{ reads, writes []time.Duration }

// seconds returns the time of the first n rounds.
func (g *game) seconds(n int) (sum float64) {
	for i := range n {
		sum += (g.reads[i] + g.writes[i]).Seconds()
	}
	return sum
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
	return playAll(ctx, store, config)
}

// playAll plays the games of all variants in turn. The first of each is not counted: it waits for connections, statements and the server's compiler.
func playAll(ctx context.Context, store *Store, config Config) ([]Result, error) {
	played := make([][]game, len(variants))
	for n := range 1 + config.Games {
		for i := range variants {
			g, err := variants[i].play(ctx, store, int64(n), config.Rounds)
			if err != nil {
				return nil, fmt.Errorf("growth: %s: %w", variants[i].name, err)
			}
			fmt.Fprintf(config.Progress, "%s, game %d of %d: %.2f s\n", variants[i].name, n, config.Games, g.seconds(config.Rounds))
			if n > 0 {
				played[i] = append(played[i], g)
			}
		}
	}
	var results []Result
	for rounds := Window; rounds <= config.Rounds; rounds += Window {
		for i := range variants {
			results = append(results, result(variants[i].name, rounds, played[i]))
		}
	}
	return results, nil
}

// result returns the result of the games of a variant at a length.
func result(variant string, rounds int, games []game) Result {
	r := Result{Variant: variant, Rounds: rounds, Seconds: games[0].seconds(rounds)}
	var reads, writes []time.Duration
	for _, g := range games {
		reads, writes = append(reads, g.reads[rounds-Window:rounds]...), append(writes, g.writes[rounds-Window:rounds]...)
		r.Seconds = min(r.Seconds, g.seconds(rounds))
	}
	r.Read, r.Write = median(reads), median(writes)
	return r
}

// median returns the median in milliseconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Microseconds()) / 1000
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

// play plays a game.
func (v *variant) play(ctx context.Context, s *Store, id int64, rounds int) (g game, err error) {
	if err := v.begin(ctx, s, id); err != nil {
		return g, err
	}
	text := strings.Repeat("x", roundBytes)
	for n := range rounds {
		began := time.Now()
		write, err := v.read(ctx, s, id, int32(n), text)
		if err != nil {
			return g, err
		}
		read := time.Now()
		if err := write(); err != nil {
			return g, err
		}
		g.reads, g.writes = append(g.reads, read.Sub(began)), append(g.writes, time.Since(read))
	}
	if n, err := v.count(ctx, s, id); err != nil || n != rounds {
		return g, fmt.Errorf("the game has %d rounds: %w", n, err)
	}
	return g, nil
}
