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

// ratio is the processor time of an operation divided by that of this operation of another design, or with another number of elements. A size of 0 is
// the number of elements of the listing.
type ratio struct {
	label              string
	design, to         string
	operation          alternatives.Operation
	elements, toNumber int
}

var judgements = []judgement{
	{"Araújo, approach 1", "reads by client are cheap, and there is no access by plate", []ratio{
		{"read by client, to approach 6", "embedded-list", "references-from-root", alternatives.ReadByRoot, 0, 0},
		{"read by client, to approach 8", "embedded-list", "pairs", alternatives.ReadByRoot, 0, 0},
	}},
	{"Araújo, approach 2", "both directions in one read, and dearer writes", []ratio{
		{"change of a vehicle, to approach 1", "embedded-list-partial", "embedded-list", alternatives.Change, 0, 0},
		{"new vehicle, to approach 1", "embedded-list-partial", "embedded-list", alternatives.Add, 0, 0},
	}},
	{"Araújo, approach 3", "the total copy is the most expensive to keep up to date", []ratio{
		{"rename of a client, to approach 1", "embedded-list-total", "embedded-list", alternatives.Rename, 0, 0},
		{"rename of a client, to approach 2", "embedded-list-total", "embedded-list-partial", alternatives.Rename, 0, 0},
		{"change of a vehicle, to approach 2", "embedded-list-total", "embedded-list-partial", alternatives.Change, 0, 0},
	}},
	{"Araújo, approach 4", "reads by plate; the client is repeated", []ratio{
		{"read by plate, to approach 3", "inverse", "embedded-list-total", alternatives.ReadByElement, 0, 0},
		{"new client with its vehicles, to approach 1", "inverse", "embedded-list", alternatives.Insert, 0, 0},
	}},
	{"Araújo, approaches 6 and 7", "no redundancy, and two reads", []ratio{
		{"approach 6: change of a vehicle, to approach 1", "references-from-root", "embedded-list", alternatives.Change, 0, 0},
		{"approach 7: read by plate, to approach 3", "reference-from-element", "embedded-list-total", alternatives.ReadByElement, 0, 0},
	}},
	{"Araújo, approach 8", "N:M; integrity by the application", []ratio{
		{"move of a vehicle, to approach 3", "pairs", "embedded-list-total", alternatives.Move, 0, 0},
	}},
	{"Barbosa", "embedding favours reads and atomicity, references favour updates and storage", []ratio{
		{"read by client, embedded to references", "embedded-list", "references-from-root", alternatives.ReadByRoot, 0, 0},
		{"change of a vehicle, embedded to references", "embedded-list", "references-from-root", alternatives.Change, 0, 0},
	}},
	{"Poffo", "the write of one more element takes constant time with parts; with a whole aggregate it grows with the number of elements", []ratio{
		{"parts: new vehicle, 100 vehicles to 10", "parts-in-root", "parts-in-root", alternatives.Add, 100, 10},
		{"embedded, read before the write: change, 100 vehicles to 10", "embedded-list", "embedded-list", alternatives.Change, 100, 10},
	}},
}

// judgementTable compares the published judgements with the measurements. A ratio whose designs or sizes were not measured is left out.
func judgementTable(results []caller.Measurement, elements int) string {
	var b strings.Builder
	b.WriteString("| source | judgement | compared | processor time | in each round | median time of a call |\n|---|---|---|---:|---:|---:|\n")
	for _, j := range judgements {
		source, text := j.source, j.text
		for _, r := range j.ratios {
			if row := r.row(results, elements); row != "" {
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", source, text, r.label, row)
				source, text = "", ""
			}
		}
	}
	return b.String()
}

// row returns the ratio of the medians, the least and the greatest ratio of a round, and the ratio of the median times.
func (r *ratio) row(results []caller.Measurement, elements int) string {
	a, b := measurement(results, r.design, cmp.Or(r.elements, elements), r.operation), measurement(results, r.to, cmp.Or(r.toNumber, elements), r.operation)
	if a == nil || b == nil || a.Refused != "" || b.Refused != "" || a.Calls == 0 || b.Calls == 0 {
		return ""
	}
	var rounds []float64
	for i := range min(len(a.Rounds), len(b.Rounds)) {
		rounds = append(rounds, a.Rounds[i]/b.Rounds[i])
	}
	return fmt.Sprintf("%.2f | %.2f to %.2f | %.2f", (a.CPU+a.ServerCPU)/(b.CPU+b.ServerCPU), slices.Min(rounds), slices.Max(rounds), a.P50/b.P50)
}
