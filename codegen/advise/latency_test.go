package advise_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/alternatives"
)

var update = flag.Bool("update", false, "write measured.json instead of comparing with it")

// measured.json has the measurements of the published file, without the columns that a report does not need.
func TestMeasurementsAreThePublishedOnes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/performance/approaches.json")
	require.NoError(t, err)
	published, err := advise.ReadMeasurements("approaches.json", text)
	require.NoError(t, err)
	require.NotEmpty(t, published)
	if *update {
		lines := []byte("[")
		for i, m := range published {
			line, err := json.Marshal(m)
			require.NoError(t, err)
			if i > 0 {
				lines = append(lines, ',')
			}
			lines = append(append(lines, '\n'), line...)
		}
		require.NoError(t, os.WriteFile("measured.json", append(lines, "\n]\n"...), 0o644))
		return
	}
	require.Equal(t, published, advise.DefaultMeasurements(), "go test ./codegen/advise -update")
	known := map[string]bool{}
	for _, o := range alternatives.Operations() {
		known[string(o)] = true
	}
	for _, m := range published {
		require.True(t, known[m.Operation], "%s", m.Operation)
	}
}

// A design whose measured 99th percentile is above the limit of an operation is marked. The measurement is that of the number of elements or of the
// next greater one.
func TestLatency(t *testing.T) {
	t.Parallel()
	measured := []advise.Measurement{
		{Design: "embedded-list", Operation: "read by root", Elements: 10, P99: 1000},
		{Design: "embedded-list", Operation: "read by root", Elements: 100, P99: 30_000},
		{Design: "embedded-list", Operation: "read by root", Elements: 1000, P99: 900_000},
		{Design: "embedded-map", Operation: "read by root", Elements: 10, P99: 10_001},
		{Design: "embedded-map", Operation: "add", Elements: 1, P99: 5000},
		{Design: "parts", Operation: "read by root", Elements: 100, P99: 10_000},
	}
	r := reportWith(t, "../../examples/quickstart/shop", `
-- aml:latency 4ms
-- aml:write Customer.Vehicles add 5/s
-- aml:latency 10ms
-- aml:rate 30/s
SELECT * FROM customers WHERE id = ?;
-- aml:latency 1s
SELECT * FROM customers WHERE name = ?;
`, advise.Config{Weights: advise.DefaultWeights(), Measurements: measured})
	x := r.Relationships[0]
	require.Equal(t, map[alternatives.Operation]time.Duration{alternatives.ReadByRoot: 10 * time.Millisecond, alternatives.Add: 4 * time.Millisecond}, x.Limits)
	found := map[string][]advise.Latency{}
	for _, p := range x.Proposals {
		found[p.Name] = p.Latencies
	}
	limit := func(o alternatives.Operation, p99 time.Duration, elements int) advise.Latency {
		return advise.Latency{Operation: o, Limit: x.Limits[o], P99: p99, Elements: elements}
	}
	require.Equal(t, []advise.Latency{limit("read by root", 30*time.Millisecond, 100), limit("add", 0, 0)}, found["embedded-list"])
	require.Equal(t, []advise.Latency{limit("read by root", 10001*time.Microsecond, 10), limit("add", 5*time.Millisecond, 1)}, found["embedded-map"])
	require.Equal(t, []advise.Latency{limit("read by root", 10*time.Millisecond, 100), limit("add", 0, 0)}, found["parts"])
	require.True(t, found["embedded-map"][1].IsSlow())
	require.False(t, found["parts"][0].IsSlow())
	text := r.Text()
	require.Contains(t, text, "  read by root 30/s, in 10ms\n")
	require.Contains(t, text, "     ! too slow: the measured p99 of read by root is 30ms, with 100 elements\n     not measured: add\n")
	require.Contains(t, text, "latencies that are not compared:\n  workload.cql:8:1: latency 1s: only operations of relationships are measured, and this query is not one of them: delete its aml:latency\n")
}
