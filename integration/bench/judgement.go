package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/alternatives"
	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// judgement is a published judgement about designs, with the measurements that it can be compared with.
type judgement struct {
	source, text string
	ratios       []ratio
}

// ratio is the processor time of an operation divided by the time of this operation of another design, or with another number of elements. A size of 0 is
// the number of elements of the listing.
type ratio struct {
	expected           expectation
	label              string
	design, to         string
	operation          alternatives.Operation
	elements, toNumber int
}

// expectation is a judgement about a ratio.
type expectation int

const (
	cheaper expectation = iota // a ratio below 1
	equal                      // a quarter more or less
	dearer                     // a ratio above 1
)

// verdict compares an expectation with a ratio and its least and greatest round.
func (e expectation) verdict(ratio, least, greatest float64) string {
	switch {
	case e == equal && ratio > 0.8 && ratio < 1.25, e == cheaper && greatest < 1, e == dearer && least > 1:
		return "yes"
	case e != equal && least <= 1 && greatest >= 1:
		return "no difference"
	}
	return "no"
}

var judgements = []judgement{
	{"Araújo, approach 1", "reads by client are cheap, and there is no access by plate", []ratio{
		{cheaper, "read by client, to approach 6", "embedded-list", "references-from-root", alternatives.ReadByRoot, 0, 0},
		{cheaper, "read by client, to approach 8", "embedded-list", "pairs", alternatives.ReadByRoot, 0, 0},
	}},
	{"Araújo, approach 2", "both directions in one read, and more expensive writes", []ratio{
		{dearer, "change of a vehicle, to approach 1", "embedded-list-partial", "embedded-list", alternatives.Change, 0, 0},
		{dearer, "new vehicle, to approach 1", "embedded-list-partial", "embedded-list", alternatives.Add, 0, 0},
	}},
	{"Araújo, approach 3", "the total copy is the most expensive to keep up to date", []ratio{
		{dearer, "rename of a client, to approach 1", "embedded-list-total", "embedded-list", alternatives.Rename, 0, 0},
		{dearer, "rename of a client, to approach 2", "embedded-list-total", "embedded-list-partial", alternatives.Rename, 0, 0},
		{dearer, "change of a vehicle, to approach 2", "embedded-list-total", "embedded-list-partial", alternatives.Change, 0, 0},
	}},
	{"Araújo, approach 4", "reads by plate; the client is repeated", []ratio{
		{equal, "read by plate, to approach 3", "inverse", "embedded-list-total", alternatives.ReadByElement, 0, 0},
		{dearer, "new client with its vehicles, to approach 1", "inverse", "embedded-list", alternatives.Insert, 0, 0},
	}},
	{"Araújo, approaches 6 and 7", "no redundancy, and two reads", []ratio{
		{cheaper, "approach 6: change of a vehicle, to approach 1", "references-from-root", "embedded-list", alternatives.Change, 0, 0},
		{dearer, "approach 7: read by plate, to approach 3", "reference-from-element", "embedded-list-total", alternatives.ReadByElement, 0, 0},
	}},
	{"Araújo, approach 8", "N:M; integrity by the application", []ratio{
		{cheaper, "move of a vehicle, to approach 3", "pairs", "embedded-list-total", alternatives.Move, 0, 0},
	}},
	{"Barbosa", "embedding favours reads and atomicity, references favour updates and storage", []ratio{
		{cheaper, "read by client, embedded to references", "embedded-list", "references-from-root", alternatives.ReadByRoot, 0, 0},
		{dearer, "change of a vehicle, embedded to references", "embedded-list", "references-from-root", alternatives.Change, 0, 0},
	}},
	{"Poffo", "the write of one more element takes constant time with parts; with a whole aggregate it grows with the number of elements", []ratio{
		{equal, "parts: new vehicle, 100 vehicles to 10", "parts-in-root", "parts-in-root", alternatives.Add, 100, 10},
		{dearer, "embedded, read before the write: change, 100 vehicles to 10", "embedded-list", "embedded-list", alternatives.Change, 100, 10},
	}},
}

// judgementTable compares the published judgements with the measurements. A ratio whose designs or sizes were not measured is left out.
func judgementTable(l *alternatives.Listing, results []caller.Measurement) string {
	var b strings.Builder
	b.WriteString("| source | judgement | compared | requests/statements | ratio of processor times | in each round | ratio of median times | agrees |\n|---|---|---|---|---:|---:|---:|---|\n")
	for _, j := range judgements {
		source, text := j.source, j.text
		for _, r := range j.ratios {
			if row := r.row(results, l.Elements); row != "" {
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", source, text, r.label, r.requests(l), row)
				source, text = "", ""
			}
		}
	}
	return b.String()
}

// requests returns the requests and statements of both operations; "" for a number of elements that the listing does not have.
func (r *ratio) requests(l *alternatives.Listing) string {
	a, b := cost(l, r.design, r.operation), cost(l, r.to, r.operation)
	if a == nil || b == nil || r.elements != 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d, %d/%d", a.Requests, a.Statements, b.Requests, b.Statements)
}

// row returns the ratio of the processor times, the least and the greatest ratio of a round, the ratio of the median times, and the verdict. Processor
// times of few calls are inexact, so the median times then decide.
func (r *ratio) row(results []caller.Measurement, elements int) string {
	a, b := measurement(results, r.design, cmp.Or(r.elements, elements), r.operation), measurement(results, r.to, cmp.Or(r.toNumber, elements), r.operation)
	if a == nil || b == nil || a.Refused != "" || b.Refused != "" || a.Calls == 0 || b.Calls == 0 {
		return ""
	}
	least, greatest := roundRatios(a.Rounds, b.Rounds)
	all, times := a.Processor()/b.Processor(), a.P50/b.P50
	verdict := r.expected.verdict(all, least, greatest)
	if a.IsMedian() || b.IsMedian() {
		verdict = r.expected.verdict(times, times, times)
	}
	return fmt.Sprintf("%.2f | %.2f to %.2f | %.2f | %s", all, least, greatest, times, verdict)
}

// roundRatios returns the least and the greatest of the ratios of the processor times of two operations in each round.
func roundRatios(a, b []float64) (least, greatest float64) {
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i] / b[i]
	}
	return slices.Min(ratios), slices.Max(ratios)
}
