package advise

import (
	_ "embed" // the measurements
	"encoding/json"
	"fmt"
	"time"

	"github.com/cassaml/cassaml/codegen/alternatives"
)

// Measurement is a measured operation of a design.
type Measurement struct {
	Design    string  `json:"design"`
	Operation string  `json:"operation"`
	Elements  int     `json:"elements"` // the number in a root
	P99       float64 `json:"p99_us"`   // 0: the store refused the operation
}

//go:embed measured.json
var measured []byte

// DefaultMeasurements returns the measurements of docs/performance/approaches.json.
func DefaultMeasurements() []Measurement {
	var out []Measurement
	_ = json.Unmarshal(measured, &out) // a test reads it
	return out
}

// ReadMeasurements reads the list that the bench writes as approaches.json.
func ReadMeasurements(text []byte) ([]Measurement, error) {
	var out []Measurement
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("the measurements are not a list as go run ./integration/bench -approaches writes it to approaches.json: %w", err)
	}
	for i, m := range out {
		if m.Design == "" || m.Operation == "" || m.Elements <= 0 {
			return nil, fmt.Errorf("measurement %d has no design, no operation or no elements: write the file with go run ./integration/bench -approaches", i+1)
		}
	}
	return out, nil
}

// Latency is the measured time of an operation that has a limit.
type Latency struct {
	Operation alternatives.Operation
	Limit     time.Duration
	P99       time.Duration // 0: not measured
	Elements  int           // the number in a root of the measurement
}

// IsSlow reports whether the time is above the limit.
func (l Latency) IsSlow() bool { return l.P99 > l.Limit }

// latencies returns the times of the operations of a design that have a limit.
func (a *adviser) latencies(r *Relationship, design string) (out []Latency) {
	for _, o := range alternatives.Operations() {
		if limit := r.Limits[o]; limit > 0 {
			m := a.measurement(design, o, r.Elements)
			out = append(out, Latency{o, limit, time.Duration(m.P99 * float64(time.Microsecond)), m.Elements})
		}
	}
	return out
}

// measurement returns the measurement of an operation with the number of elements of the relationship or the next greater one, or else the greatest.
func (a *adviser) measurement(design string, o alternatives.Operation, elements int) (out Measurement) {
	for _, m := range a.Measurements {
		if m.Design != design || m.Operation != string(o) || m.P99 == 0 {
			continue
		}
		enough, had := m.Elements >= elements, out.Elements >= elements
		if out.Elements == 0 || enough && (!had || m.Elements < out.Elements) || !enough && !had && m.Elements > out.Elements {
			out = m
		}
	}
	return out
}
