package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/alternatives"

	caller "github.com/cassaml/cassaml/integration/alternatives"
)

// cost returns the cost of an operation of a design, or nil.
func cost(l *alternatives.Listing, design string, o alternatives.Operation) *alternatives.Cost {
	for _, a := range l.Alternatives {
		if a.Name == design {
			return a.Costs[o]
		}
	}
	return nil
}

// observation is a measured operation: the numbers of its requests of each kind, and its processor time.
type observation struct {
	counts [5]float64
	cpu    float64
}

// predict returns the processor time of the requests.
func (o *observation) predict(w *[5]float64) (sum float64) {
	for i := range w {
		sum += w[i] * o.counts[i]
	}
	return sum
}

// observations returns the measured operations whose requests are known: those with the number of elements of the listing.
func observations(l *alternatives.Listing, results []caller.Measurement) (out []observation) {
	for _, m := range results {
		c := cost(l, m.Design, alternatives.Operation(m.Operation))
		if c == nil || m.Calls == 0 || m.Elements != l.Elements || m.Processor() <= 0 {
			continue
		}
		single := c.Requests - c.Conditional - c.Reads - c.Batches
		out = append(out, observation{[5]float64{float64(c.Reads), float64(single), float64(c.Batches), float64(c.Batched), float64(c.Conditional)}, m.Processor()})
	}
	return out
}

// The number of iterations of fitWeights, and the relative error above which an observation counts less.
const (
	fits        = 20
	descents    = 200
	usualError  = 0.15
	leastWeight = 1
)

// fitWeights returns the positive weights that explain the measured processor times best: the sum of the squares of the relative errors is least. The
// weights are changed one after the other until they do not change. An operation that was disturbed, or is expensive for another reason, counts less: the
// factor of a large error is its reciprocal (the method of Huber).
func fitWeights(l *alternatives.Listing, results []caller.Measurement) advise.Weights {
	all := observations(l, results)
	factors := make([]float64, len(all))
	d := advise.DefaultWeights()
	w := [5]float64{d.Read, d.Write, d.Batch, d.Statement, d.Conditional}
	for range fits {
		for i, o := range all {
			factors[i] = usualError / max(usualError, math.Abs(math.Log(o.predict(&w)/o.cpu)))
		}
		for range descents {
			descend(&w, all, factors)
		}
	}
	for k := range w {
		w[k] = math.Round(w[k])
	}
	return advise.Weights{Read: w[0], Write: w[1], Batch: w[2], Statement: w[3], Conditional: w[4]}
}

// descend sets each weight to the best one for the others.
func descend(w *[5]float64, all []observation, factors []float64) {
	for k := range w {
		var above, below float64
		for i, o := range all {
			x := o.counts[k] / o.cpu
			rest := 1 - (o.predict(w)-w[k]*o.counts[k])/o.cpu
			above, below = above+factors[i]*x*rest, below+factors[i]*x*x
		}
		if below > 0 {
			w[k] = max(leastWeight, above/below)
		}
	}
}

func weightsText(w advise.Weights) string {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // five numbers
	}
	return string(text)
}

// adviseMix returns the designs of some results of a workload that cost least by advice: several if their requests are equal.
func adviseMix(results []caller.MixResult, l *alternatives.Listing, x caller.Workload, w advise.Weights) (best []string) {
	least := math.Inf(1)
	for _, m := range results {
		c, ok := mixCost(l, m.Design, x, func(_ alternatives.Operation, c *alternatives.Cost) float64 { return w.Cost(c) })
		switch {
		case !ok || c > least:
		case c == least:
			best = append(best, m.Design)
		default:
			best, least = []string{m.Design}, c
		}
	}
	return best
}

// mixCost returns the cost of a workload with a design; ok is false if an operation has none.
func mixCost(l *alternatives.Listing, design string, x caller.Workload, of func(alternatives.Operation, *alternatives.Cost) float64) (sum float64, ok bool) {
	for _, choice := range x.Choices {
		for _, name := range choice.Operations {
			c := cost(l, design, alternatives.Operation(name))
			if c == nil {
				return 0, false
			}
			sum += float64(choice.Percent) / 100 * of(alternatives.Operation(name), c)
		}
	}
	return sum, true
}

// adviceTable compares, for each workload, the design that advice names with the cheapest one, by the processor times of the single operations and of
// the mixes.
func adviceTable(l *alternatives.Listing, f *findings, w advise.Weights) string {
	var b strings.Builder
	b.WriteString("| workload | cheapest by advice | others with equal requests | cheapest by single operations | ratio | in each round | cheapest in the mix | ratio | in each round |\n|---|---|---:|---|---:|---:|---|---:|---:|\n")
	for _, x := range caller.Workloads() {
		single := f.singles(l, x)
		advised := adviseMix(single, l, x, w)
		if advised == nil {
			continue
		}
		fmt.Fprintf(&b, "| %s: %s | %s | %d |%s%s\n", x.Name, x.Text, advised[0], len(advised)-1, compare(single, advised[0]), compare(ofWorkload(f.mixed, x.Name), advised[0]))
	}
	return b.String()
}

// singles returns the results that a workload would have if its operations cost as much as alone.
func (f *findings) singles(l *alternatives.Listing, x caller.Workload) (out []caller.MixResult) {
	for _, d := range designsOf(f.measured) {
		m := caller.MixResult{Design: d, Workload: x.Name}
		complete := true
		total := func(of func(*caller.Measurement) float64) float64 {
			sum, _ := mixCost(l, d, x, func(o alternatives.Operation, _ *alternatives.Cost) float64 {
				if r := measurement(f.measured, d, l.Elements, o); r != nil && r.Calls > 0 {
					return of(r)
				}
				complete = false
				return 0
			})
			return sum
		}
		m.CPU = total((*caller.Measurement).Processor)
		for i := range f.rounds() {
			m.Rounds = append(m.Rounds, total(func(r *caller.Measurement) float64 { return r.Rounds[min(i, len(r.Rounds)-1)] }))
		}
		if complete && m.CPU > 0 {
			out = append(out, m)
		}
	}
	return out
}

// rounds returns the greatest number of rounds.
func (f *findings) rounds() (n int) {
	for _, m := range f.measured {
		n = max(n, len(m.Rounds))
	}
	return n
}

// ofWorkload returns the results of a workload.
func ofWorkload(mixed []caller.MixResult, name string) (out []caller.MixResult) {
	for _, m := range mixed {
		if m.Workload == name {
			out = append(out, m)
		}
	}
	return out
}

// compare returns the cells of the cheapest design of some results, and of the ratio of another one to it, over all rounds and in each.
func compare(results []caller.MixResult, advised string) string {
	i := slices.IndexFunc(results, func(m caller.MixResult) bool { return m.Design == advised })
	if i < 0 {
		return " | | |"
	}
	a := results[i]
	best := slices.MinFunc(results, func(x, y caller.MixResult) int { return cmp.Compare(x.Processor(), y.Processor()) })
	least, greatest := roundRatios(a.Rounds, best.Rounds)
	return fmt.Sprintf(" %s | %.2f | %.2f to %.2f |", best.Design, a.Processor()/best.Processor(), least, greatest)
}

// fitTable shows how well the weights explain the processor times.
func fitTable(l *alternatives.Listing, results []caller.Measurement, w advise.Weights) string {
	var ratios []float64
	for _, m := range results {
		if c := cost(l, m.Design, alternatives.Operation(m.Operation)); c != nil && m.Elements == l.Elements && m.Calls > 0 {
			ratios = append(ratios, m.Processor()/w.Cost(c))
		}
	}
	if ratios == nil {
		return ""
	}
	slices.Sort(ratios)
	at := func(percent int) float64 { return ratios[(len(ratios)-1)*percent/100] }
	return fmt.Sprintf("| operations | measured divided by fitted time: 10th percentile | median | 90th percentile | operations with equal requests: greatest divided by least, median |\n|---:|---:|---:|---:|---:|\n| %d | %.2f | %.2f | %.2f | %.2f |\n",
		len(ratios), at(10), at(50), at(90), equalRequests(observations(l, results)))
}

// equalRequests returns the greatest processor time divided by the least of operations with the same numbers of requests: the median of all such groups. No
// formula of requests can explain this difference, which consists of the sizes of rows and of disturbances.
func equalRequests(all []observation) float64 {
	groups := map[[5]float64][]float64{}
	for _, o := range all {
		groups[o.counts] = append(groups[o.counts], o.cpu)
	}
	ratios := []float64{1}
	for _, g := range groups {
		if len(g) > 1 {
			ratios = append(ratios, slices.Max(g)/slices.Min(g))
		}
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}
