package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/integration/bench/measure"
)

// Peer is the variant that the others are compared with.
const Peer = "gocqlx"

// Table returns the results as a table in Markdown that is aligned for a terminal, in the order of the results. The ratio is
// the time divided by the time of the peer, if the peer does the work.
func Table(results []measure.Result) string {
	rows := [][]string{{"work", "variant", "ns/op", "spread", "allocs/op", "B/op", "ratio to " + Peer}}
	last := ""
	for _, r := range results {
		work := r.Work
		if work == last {
			work = ""
		}
		last = r.Work
		rows = append(rows, []string{work, r.Variant, fmt.Sprintf("%.0f", r.NS), fmt.Sprintf("±%.0f %%", 100*r.Spread),
			fmt.Sprintf("%.4g", r.Allocs), fmt.Sprintf("%.0f", r.Bytes), ratioText(results, r)})
	}
	return align(rows)
}

func ratioText(results []measure.Result, r measure.Result) string {
	ratio, ok := Ratio(results, r)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.3f", ratio)
}

// Ratio returns r's time divided by the peer's time for the same work, if the peer does the work.
func Ratio(results []measure.Result, r measure.Result) (float64, bool) {
	for _, p := range results {
		if p.Work == r.Work && p.Variant == Peer {
			return r.NS / p.NS, true
		}
	}
	return 0, false
}

// texts is the number of columns with text, which are aligned left; figures are aligned right.
const texts = 2

func align(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for n, row := range rows {
		line(&b, widths, row)
		if n == 0 {
			rule(&b, widths)
		}
	}
	return b.String()
}

func line(b *strings.Builder, widths []int, row []string) {
	for i, cell := range row {
		if i < texts {
			fmt.Fprintf(b, "| %-*s ", widths[i], cell)
		} else {
			fmt.Fprintf(b, "| %*s ", widths[i], cell)
		}
	}
	b.WriteString("|\n")
}

func rule(b *strings.Builder, widths []int) {
	for i, w := range widths {
		dashes := strings.Repeat("-", w+1)
		if i < texts {
			b.WriteString("|" + dashes + "-")
		} else {
			b.WriteString("|" + dashes + ":")
		}
	}
	b.WriteString("|\n")
}

// LoadPeer is the variant with which the others are compared on a server. Variants of versioned aggregates are compared with [Peer]
// instead.
const LoadPeer = "gocql"

// LoadTable returns the results of loads as Table does. The ratio is the processor time divided by the processor time of a peer. The column
// B/op is left out for results without it, which were published before it was measured.
func LoadTable(results []measure.LoadResult, peer string) string {
	rows := [][]string{{"work, in flight", "variant", "CPU µs/op", "spread", "ratio to " + peer, "allocs/op", "B/op", "round trips", "p50 µs", "p99 µs", "ops/s"}}
	last, bytes := "", false
	for _, r := range results {
		work := fmt.Sprintf("%s, %d", r.Work, r.InFlight)
		ratio := fmt.Sprintf("%.2f", r.CPU/findPeer(results, r, peer).CPU)
		row := []string{work, r.Variant, micro(r.CPU), fmt.Sprintf("±%.0f %%", 100*r.Spread), ratio, fmt.Sprintf("%.0f", r.Allocs),
			fmt.Sprintf("%.0f", r.Bytes), fmt.Sprintf("%.2f", r.RoundTrips), micro(r.P50), micro(r.P99), fmt.Sprintf("%.0f", r.Throughput)}
		if work == last {
			row[0] = ""
		}
		last, bytes = work, bytes || r.Bytes > 0
		rows = append(rows, row)
	}
	if at := slices.Index(rows[0], "B/op"); !bytes {
		for i := range rows {
			rows[i] = slices.Delete(rows[i], at, at+1)
		}
	}
	return align(rows)
}

// findPeer returns the result that r is compared with: r itself if no other variant did the work.
func findPeer(results []measure.LoadResult, r measure.LoadResult, peer string) measure.LoadResult {
	for _, p := range results {
		if p.Work == r.Work && p.InFlight == r.InFlight && p.Variant == peer {
			return p
		}
	}
	return r
}

func micro(ns float64) string { return fmt.Sprintf("%.0f", ns/1000) }
