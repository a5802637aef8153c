package main

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/codegen/alternatives"
	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// judgement is a published judgement about designs, with the measurements that it can be compared with: each is the median time of an operation
// divided by the median time of this operation of another design, or with another number of elements.
type judgement struct {
	source, text string
	ratios       []ratio
}

// ratio is a quotient of two median times. A size of 0 is the number of elements of the listing.
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
		{"parts: new vehicle, 100 vehicles to 1", "parts-in-root", "parts-in-root", alternatives.Add, 100, 1},
		{"embedded, read before the write: change, 100 vehicles to 1", "embedded-list", "embedded-list", alternatives.Change, 100, 1},
	}},
}

// judgementTable compares the published judgements with the measurements. A ratio whose designs or sizes were not measured is left out.
func judgementTable(results []caller.Measurement, elements int) string {
	var b strings.Builder
	b.WriteString("| source | judgement | measured: ratio of median times |\n|---|---|---|\n")
	for _, j := range judgements {
		var found []string
		for _, r := range j.ratios {
			if text := r.text(results, elements); text != "" {
				found = append(found, text)
			}
		}
		if found != nil {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", j.source, j.text, strings.Join(found, "; "))
		}
	}
	return b.String()
}

func (r *ratio) text(results []caller.Measurement, elements int) string {
	size := func(n int) int {
		if n == 0 {
			return elements
		}
		return n
	}
	a, b := measurement(results, r.design, size(r.elements), r.operation), measurement(results, r.to, size(r.toNumber), r.operation)
	if a == nil || b == nil || a.Refused != "" || b.Refused != "" || b.P50 == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %.2f", r.label, a.P50/b.P50)
}
