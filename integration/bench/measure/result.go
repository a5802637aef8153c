package measure

import (
	"math"
	"slices"
)

// Result is the result of a series: the medians of its rounds.
type Result struct {
	Work    string  `json:"work"`
	Variant string  `json:"variant"`
	NS      float64 `json:"ns"`     // nanoseconds for one operation
	Allocs  float64 `json:"allocs"` // allocations of one operation
	Bytes   float64 `json:"bytes"`  // allocated for one operation
	Spread  float64 `json:"spread"` // half the difference of the 10th and the 90th percentile of NS, divided by the median
}

// Result returns the result of the series.
func (s *Series) Result() Result {
	r := Result{Work: s.Work, Variant: s.Variant, Allocs: s.median(Round.AllocsPerOp), Bytes: s.median(Round.BytesPerOp)}
	ns := s.sorted(Round.NSPerOp)
	r.NS = percentile(ns, 0.5)
	r.Spread = round((percentile(ns, 0.9)-percentile(ns, 0.1))/2/r.NS, 4)
	r.NS, r.Allocs, r.Bytes = round(r.NS, 1), round(r.Allocs, 2), round(r.Bytes, 0)
	return r
}

// NSPerOp returns the duration of an operation in nanoseconds.
func (r Round) NSPerOp() float64 { return float64(r.Time.Nanoseconds()) / float64(r.Ops) }

// AllocsPerOp returns the number of allocations of an operation.
func (r Round) AllocsPerOp() float64 { return float64(r.Allocs) / float64(r.Ops) }

// BytesPerOp returns the number of bytes that an operation allocates.
func (r Round) BytesPerOp() float64 { return float64(r.Bytes) / float64(r.Ops) }

func (s *Series) median(f func(Round) float64) float64 { return percentile(s.sorted(f), 0.5) }

func (s *Series) sorted(f func(Round) float64) []float64 {
	all := make([]float64, len(s.Rounds))
	for i, r := range s.Rounds {
		all[i] = f(r)
	}
	slices.Sort(all)
	return all
}

// percentile interpolates between the two values around p, which is from 0 to 1.
func percentile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

func round(v float64, digits int) float64 {
	unit := math.Pow(10, float64(digits))
	return math.Round(v*unit) / unit
}
