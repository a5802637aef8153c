package measure

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLoadResultIsTheMedianOfTheRounds(t *testing.T) {
	l := loaded{Load: Load{Work: "get", Variant: "gocql", InFlight: 2}}
	for _, took := range []time.Duration{30 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond} {
		l.rounds = append(l.rounds, loadRound{ops: 1000, took: took, cpu: took / 2, allocs: 53_000, bytes: 7_600_400, roundTrips: 1005})
	}
	for i := range 100 {
		l.latencies = append(l.latencies, time.Duration(100-i)*time.Microsecond)
	}
	require.Equal(t, LoadResult{Work: "get", Variant: "gocql", InFlight: 2, CPU: 10_000, Allocs: 53, Bytes: 7600, RoundTrips: 1, P50: 50_000, P99: 99_000,
		Throughput: 50_000, Spread: 0.4}, l.result())
}

func TestFasterSliceIsTheRound(t *testing.T) {
	slow, fast := Round{Ops: 10, Time: 20}, Round{Ops: 10, Time: 10}
	require.Equal(t, fast, Round{}.faster(slow).faster(fast))
	require.Equal(t, fast, Round{}.faster(fast).faster(slow))
}

// Every case has the same number of slices in a round.
func TestShuffledKeepsTheNumber(t *testing.T) {
	got := shuffled(3, 2)
	slices.Sort(got)
	require.Equal(t, []int{0, 0, 1, 1, 2, 2}, got)
}
