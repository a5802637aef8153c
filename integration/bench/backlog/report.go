package backlog

import (
	"fmt"
	"slices"
	"strings"
)

// Table returns the results as a table in Markdown: a line for each variant, with the times after all tasks, and with the largest
// ratio of all measurements.
func Table(results []Result) string {
	var b strings.Builder
	b.WriteString("| tasks | completed, table | Get ms | empty ms | ratio | largest | Update ms | empty ms | ratio | largest |\n" +
		"|------:|------------------|-------:|---------:|------:|--------:|----------:|---------:|------:|--------:|\n")
	for i, r := range results {
		if i+1 < len(results) && results[i+1].Variant == r.Variant {
			continue
		}
		of := slices.DeleteFunc(slices.Clone(results), func(o Result) bool { return o.Variant != r.Variant })
		fmt.Fprintf(&b, "| %d | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", r.Tasks, r.Variant,
			ms(r.Get), ms(r.EmptyGet), r.GetRatio(), largest(of, Result.GetRatio),
			ms(r.Update), ms(r.EmptyUpdate), r.UpdateRatio(), largest(of, Result.UpdateRatio))
	}
	return b.String()
}

func largest(results []Result, ratio func(Result) float64) (most float64) {
	for _, r := range results {
		most = max(most, ratio(r))
	}
	return most
}

// line returns a result as a line of the progress.
func line(r Result) string {
	return fmt.Sprintf("%s, %d tasks: Get %.2f ms, %.2f times as long as in an empty partition; Update %.2f ms, %.2f times", r.Variant, r.Tasks,
		ms(r.Get), r.GetRatio(), ms(r.Update), r.UpdateRatio())
}

func ms(ns int64) float64 { return float64(ns) / 1e6 }
