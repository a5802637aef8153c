package examples

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/examples/game/parts/match"
)

// Each round is one request, and the game is deleted with its rounds in one.
func TestPartsOfAGame(t *testing.T) {
	p := run(t, match.Schema, match.Demo)
	p.sent(t, `
		1: write games
		2: write rounds
		2: write rounds
		2: write rounds
		2: write rounds
		2: write rounds
		3: read rounds
		3: write rounds
		4: read games
		4: read games
		4: read rounds
		5: delete rounds
		6: [delete games, delete rounds]
	`)
	require.Contains(t, p.out.String(), "the game has 5 rounds, the last move is Re1")
	p.holds(t, "games", "")
	p.holds(t, "rounds", "")
}
