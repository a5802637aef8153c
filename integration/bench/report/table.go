package report

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/integration/bench/measure"
)

// Peer is the variant that the others are held against.
const Peer = "gocqlx"

// Table returns the results as a table in Markdown that is aligned for a terminal, in the results' order. The ratio is that of
// the times to the peer's; where the peer does not do the work there is none.
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

// Ratio is r's time to that of the peer for the same work, if the peer does it.
func Ratio(results []measure.Result, r measure.Result) (float64, bool) {
	for _, p := range results {
		if p.Work == r.Work && p.Variant == Peer {
			return r.NS / p.NS, true
		}
	}
	return 0, false
}

// texts is how many of the columns hold text, at the left; figures stand at the right.
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
