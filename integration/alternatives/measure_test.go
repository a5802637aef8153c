package alternatives

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The processor time of an operation is the least of the rounds, because disturbances only add time; with few calls it is the median, because the error of the clock of a
// server can make it negative.
func TestProcessorTimesOfFewCallsAreMedians(t *testing.T) {
	s := &series{subject: &subject{name: "parts"}, operation: "add", elements: 10}
	s.Took = []time.Duration{time.Millisecond}
	s.Samples = []sample{{Client: 40, Server: 300}, {Client: 50, Server: -90}, {Client: 60, Server: 200}}
	m := s.result()
	require.Equal(t, []float64{340, -40, 260}, m.Rounds)
	require.Equal(t, []float64{50, -90}, []float64{m.CPU, m.ServerCPU})
	s.elements = 100
	m = s.result()
	require.Equal(t, []float64{50, 200}, []float64{m.CPU, m.ServerCPU})
}
