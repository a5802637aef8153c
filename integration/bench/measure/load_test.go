package measure_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/bench/measure"
)

// Each operation makes two round trips, and waits until all workers run one: the number in flight is that of the workers.
func TestRunLoadsCountsRoundTripsOfAllWorkers(t *testing.T) {
	const workers = 4
	var trips atomic.Uint64
	var meet sync.WaitGroup
	meet.Add(workers)
	results, err := measure.RunLoads([]measure.Load{{Work: "get", Variant: "gocql", InFlight: workers, Counter: trips.Load,
		Worker: func(int) (measure.Op, error) {
			met := false
			return func() error {
				if !met {
					met = true
					meet.Done()
					meet.Wait()
				}
				trips.Add(2)
				return nil
			}, nil
		}}}, measure.Config{Rounds: 3, Slice: time.Microsecond})
	require.NoError(t, err)
	r := results[0]
	require.Equal(t, 2.0, r.RoundTrips)
	require.Equal(t, workers, r.InFlight)
	require.Positive(t, r.Throughput)
	require.GreaterOrEqual(t, r.P99, r.P50)
}

// An operation allocates a slice of a known size.
func TestRunLoadsCountsBytes(t *testing.T) {
	const size = 1 << 20
	var kept []byte
	results, err := measure.RunLoads([]measure.Load{{Work: "get", Variant: "gocql", InFlight: 1, Counter: func() uint64 { return 0 },
		Worker: func(int) (measure.Op, error) {
			return func() error { kept = make([]byte, size); return nil }, nil
		}}}, measure.Config{Rounds: 3, Slice: time.Microsecond})
	require.NoError(t, err)
	require.Len(t, kept, size)
	require.InEpsilon(t, size, results[0].Bytes, 0.5, "and a little of the runtime")
}

func TestRunLoadsStopsAtTheFirstError(t *testing.T) {
	broken := errors.New("broken")
	op := func() error { return broken }
	_, err := measure.RunLoads([]measure.Load{{Work: "get", Variant: "gocql", InFlight: 2, Counter: func() uint64 { return 0 },
		Worker: func(int) (measure.Op, error) { return op, nil }}}, measure.Config{})
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "measure: get by gocql, 2 in flight: broken")
}
