package report

import (
	"fmt"

	"github.com/cassaml/cassaml/integration/bench/measure"
)

// LoadPeer is the variant that the others are held against on a server.
const LoadPeer = "gocql"

// LoadTable returns the results of loads as Table does. The ratio is that of the processor times to the peer's.
func LoadTable(results []measure.LoadResult) string {
	rows := [][]string{{"work, in flight", "variant", "CPU µs/op", "spread", "ratio to " + LoadPeer, "allocs/op", "round trips", "p50 µs", "p99 µs", "ops/s"}}
	last := ""
	for _, r := range results {
		work := fmt.Sprintf("%s, %d", r.Work, r.InFlight)
		ratio := fmt.Sprintf("%.2f", r.CPU/peerOf(results, r).CPU)
		row := []string{work, r.Variant, micro(r.CPU), fmt.Sprintf("±%.0f %%", 100*r.Spread), ratio, fmt.Sprintf("%.0f", r.Allocs),
			fmt.Sprintf("%.2f", r.RoundTrips), micro(r.P50), micro(r.P99), fmt.Sprintf("%.0f", r.Throughput)}
		if work == last {
			row[0] = ""
		}
		last = work
		rows = append(rows, row)
	}
	return align(rows)
}

// peerOf returns the result that r is held against; r itself when nothing else did the work.
func peerOf(results []measure.LoadResult, r measure.LoadResult) measure.LoadResult {
	for _, p := range results {
		if p.Work == r.Work && p.InFlight == r.InFlight && p.Variant == LoadPeer {
			return p
		}
	}
	return r
}

func micro(ns float64) string { return fmt.Sprintf("%.0f", ns/1000) }
