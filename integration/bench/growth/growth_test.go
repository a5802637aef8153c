package growth

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// Each variant stores all rounds, and has a result for each length.
func TestGamesOfAllVariants(t *testing.T) {
	store, err := OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{})
	require.NoError(t, err)
	results, err := playAll(t.Context(), store, Config{Rounds: 2 * Window, Games: 2, Progress: io.Discard})
	require.NoError(t, err)
	require.Len(t, results, 2*len(variants))
	for i, r := range results {
		require.Equal(t, variants[i%len(variants)].name, r.Variant)
		require.Equal(t, Window*(1+i/len(variants)), r.Rounds)
		require.Positive(t, r.Seconds)
	}
	require.Equal(t, 2+2, strings.Count(Table(results), "\n"))
}

// Times are medians of the last rounds of all games, and the game is the fastest.
func TestResultsAreOfTheLastRounds(t *testing.T) {
	var games [2]game
	for i := range games {
		for n := range 2 * Window {
			took := time.Duration(1+n/Window) * time.Millisecond // 1 ms, and then 2 ms
			games[i].reads, games[i].writes = append(games[i].reads, took), append(games[i].writes, 3*took*time.Duration(1+2*i))
		}
	}
	r := result("list", 2*Window, games[:])
	require.Equal(t, Result{"list", 2 * Window, 2, 18, r.Seconds}, r) // the middle one of 6 and 18 ms
	require.InDelta(t, float64(Window)*(4+8)/1000, r.Seconds, 1e-9)
}
