package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/report"
)

var results = []measure.Result{
	{Work: "bind", Variant: "cassaml", NS: 401.4, Allocs: 5, Bytes: 1648, Spread: 0.021},
	{Work: "bind", Variant: "gocqlx", NS: 4014, Allocs: 83, Bytes: 3336, Spread: 0.149},
	{Work: "plan-move", Variant: "cassaml", NS: 300, Allocs: 1.25, Bytes: 576, Spread: 0},
}

func TestTable(t *testing.T) {
	require.Equal(t, `
| work      | variant | ns/op | spread | allocs/op | B/op | ratio to gocqlx |
|-----------|---------|------:|-------:|----------:|-----:|----------------:|
| bind      | cassaml |   401 |   ±2 % |         5 | 1648 |           0.100 |
|           | gocqlx  |  4014 |  ±15 % |        83 | 3336 |           1.000 |
| plan-move | cassaml |   300 |   ±0 % |      1.25 |  576 |                 |
`, "\n"+report.Table(results))
}

func TestGoPrintsALineForEachRound(t *testing.T) {
	var b strings.Builder
	machine := report.Machine{OS: "linux", Arch: "amd64", CPU: "Some Processor"}
	require.NoError(t, report.Go(&b, machine, []measure.Series{{Work: "bind", Variant: "cassaml", Rounds: []measure.Round{
		{Ops: 1000, Time: 400 * time.Microsecond, Allocs: 4000, Bytes: 640000}, {Ops: 1000, Time: 410 * time.Microsecond, Allocs: 4000, Bytes: 640000},
	}}}))
	require.Equal(t, `goos: linux
goarch: amd64
pkg: github.com/cassaml/cassaml/integration/bench
cpu: Some Processor
BenchmarkCodec/work=bind/variant=cassaml 1000 400 ns/op 640 B/op 4 allocs/op
BenchmarkCodec/work=bind/variant=cassaml 1000 410 ns/op 640 B/op 4 allocs/op
`, b.String())
}

// The chart is SVG, contains the names of the works and variants, and is the same for the same figures.
func TestChart(t *testing.T) {
	chart, err := report.Chart("Codec", results)
	require.NoError(t, err)
	var texts []string
	for d := xml.NewDecoder(bytes.NewReader(chart)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if text, ok := token.(xml.CharData); ok {
			texts = append(texts, strings.TrimSpace(string(text)))
		}
	}
	require.Subset(t, texts, []string{"Codec", "bind", "cassaml", "gocqlx", "time, gocqlx = 1"})
	require.NotContains(t, texts, "plan-move", "the peer does not have it")
	again, err := report.Chart("Codec", results)
	require.NoError(t, err)
	require.Equal(t, chart, again)
}

func TestReplaceKeepsTheRestOfThePage(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(page, []byte("# Page\n\n<!-- codec -->\nold\n<!-- /codec -->\n\nEnd.\n"), 0o600))
	require.NoError(t, report.Replace(page, "codec", "new\n"))
	require.NoError(t, report.Replace(page, "codec", "newer\n"))
	got, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, "# Page\n\n<!-- codec -->\nnewer\n<!-- /codec -->\n\nEnd.\n", string(got))
	require.ErrorContains(t, report.Replace(page, "node", "new\n"), "page.md lacks the lines <!-- node --> and <!-- /node --> around the figures of node")
}

func TestLoadTable(t *testing.T) {
	loads := []measure.LoadResult{
		{Work: "get", Variant: "gocql", InFlight: 1, CPU: 60_000, Allocs: 53, Bytes: 7204, RoundTrips: 1, P50: 1e5, P99: 9e5, Throughput: 9000, Spread: 0.01},
		{Work: "get", Variant: "cassaml", InFlight: 32, CPU: 18_000, Allocs: 56, Bytes: 8416, RoundTrips: 2, P50: 9e5, P99: 4e6, Throughput: 27108, Spread: 0.02},
		{Work: "get", Variant: "gocql", InFlight: 32, CPU: 20_000, Allocs: 53, Bytes: 7199, RoundTrips: 1, P50: 85e4, P99: 41e5, Throughput: 27066, Spread: 0.03},
	}
	require.Equal(t, `
| work, in flight | variant | CPU µs/op | spread | ratio to gocql | allocs/op | B/op | round trips | p50 µs | p99 µs | ops/s |
|-----------------|---------|----------:|-------:|---------------:|----------:|-----:|------------:|-------:|-------:|------:|
| get, 1          | gocql   |        60 |   ±1 % |           1.00 |        53 | 7204 |        1.00 |    100 |    900 |  9000 |
| get, 32         | cassaml |        18 |   ±2 % |           0.90 |        56 | 8416 |        2.00 |    900 |   4000 | 27108 |
|                 | gocql   |        20 |   ±3 % |           1.00 |        53 | 7199 |        1.00 |    850 |   4100 | 27066 |
`, "\n"+report.LoadTable(loads, report.LoadPeer))
	loads = loads[:1]
	loads[0].Bytes = 0
	require.Equal(t, `
| work, in flight | variant | CPU µs/op | spread | ratio to gocql | allocs/op | round trips | p50 µs | p99 µs | ops/s |
|-----------------|---------|----------:|-------:|---------------:|----------:|------------:|-------:|-------:|------:|
| get, 1          | gocql   |        60 |   ±1 % |           1.00 |        53 |        1.00 |    100 |    900 |  9000 |
`, "\n"+report.LoadTable(loads, report.LoadPeer), "figures without bytes")
}
