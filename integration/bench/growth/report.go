package growth

import (
	"fmt"
	"slices"
	"strings"
)

// Table returns the results as a table in Markdown, with a row for each length.
func Table(results []Result) string {
	var b strings.Builder
	fmt.Fprint(&b, "| rounds")
	for _, figure := range []string{"read ms", "write ms", "game s"} {
		fmt.Fprintf(&b, " | %s: %s", figure, strings.Join(Variants(), " | "))
	}
	b.WriteString(" |\n|---:" + strings.Repeat("|---:", 9) + "|\n")
	for rounds := Window; slices.ContainsFunc(results, func(r Result) bool { return r.Rounds == rounds }); rounds += Window {
		fmt.Fprintf(&b, "| %d |", rounds)
		for _, figure := range []func(Result) float64{func(r Result) float64 { return r.Read }, func(r Result) float64 { return r.Write }, func(r Result) float64 { return r.Seconds }} {
			for _, r := range results {
				if r.Rounds == rounds {
					fmt.Fprintf(&b, " %.2f |", figure(r))
				}
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
