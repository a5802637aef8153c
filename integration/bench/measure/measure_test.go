package measure_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/bench/measure"
)

// series returns rounds of 10 operations with the given nanoseconds for each operation.
func series(ns ...int) measure.Series {
	s := measure.Series{Work: "bind", Variant: "gocql"}
	for _, n := range ns {
		s.Rounds = append(s.Rounds, measure.Round{Ops: 10, Time: time.Duration(10 * n), Allocs: 70, Bytes: 2600})
	}
	return s
}

func TestResultIsTheMedianOfTheRounds(t *testing.T) {
	s := series(300, 100, 200, 9000, 250)
	require.Equal(t, measure.Result{Work: "bind", Variant: "gocql", NS: 250, Allocs: 7, Bytes: 260, Spread: 10.76}, s.Result())
}

func TestSpread(t *testing.T) {
	s := series(100, 100, 100)
	require.Zero(t, s.Result().Spread)
	s = series(90, 91, 92, 93, 94, 100, 106, 107, 108, 109, 110) // 10 % are below 91, 10 % above 109
	require.Equal(t, 0.09, s.Result().Spread)
}

var kept []byte

func TestRunCountsOperationsAndAllocations(t *testing.T) {
	calls := 0
	got, err := measure.Run([]measure.Case{
		{Work: "scan", Variant: "page", Items: 100, Run: func() error { calls++; return nil }},
		{Work: "scan", Variant: "heap", Run: func() error { kept = make([]byte, 1024); return nil }},
	}, measure.Config{Rounds: 3, Slices: 2, Slice: time.Microsecond})
	require.NoError(t, err)
	require.Len(t, got, 2)
	ops := 0
	for i := range 3 {
		ops += got[0].Rounds[i].Ops
		require.InDelta(t, 1, got[1].Rounds[i].AllocsPerOp(), 0.9, "one for each operation, and a few of the runtime")
		require.GreaterOrEqual(t, got[1].Rounds[i].BytesPerOp(), 1024.0)
	}
	require.Zero(t, ops%100)
	require.Greater(t, calls, ops/100, "warming up is not counted")
}

func TestRunStopsAtTheFirstError(t *testing.T) {
	broken := errors.New("broken")
	rounds := 0
	_, err := measure.Run([]measure.Case{{Work: "bind", Variant: "floor", Run: func() error { return broken }}},
		measure.Config{Progress: func(int, int) { rounds++ }})
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "measure: bind by floor: broken")
	require.Zero(t, rounds)
}
