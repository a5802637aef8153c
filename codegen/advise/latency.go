package advise

import (
	"cmp"
	_ "embed" // the measurements
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/model"
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

// minP99 is the least measured time in microseconds, a nanosecond.
const minP99 = 1e-3

const measurementsForm = "write the file with go run ./integration/bench -approaches"

// ReadMeasurements reads the list that the bench writes as approaches.json.
func ReadMeasurements(file string, text []byte) (out []Measurement, err error) {
	d := newDocument(file, text)
	pos := d.pos()
	if err := d.expect('['); err != nil {
		return nil, fmt.Errorf("%s: the measurements are not a list of JSON: %w: %s", pos, err, measurementsForm)
	}
	first := map[Measurement]model.Pos{}
	for d.More() {
		pos = d.pos()
		m, err := d.measurement()
		key := Measurement{Design: m.Design, Operation: m.Operation, Elements: m.Elements}
		if other, found := first[key]; found && err == nil {
			err = fmt.Errorf("%s of %s with %d elements is measured in line %d, too", m.Operation, m.Design, m.Elements, other.Line)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: measurement %d: %w: %s", pos, len(out)+1, err, measurementsForm)
		}
		first[key] = pos
		out = append(out, m)
	}
	pos = d.pos()
	if err := d.expect(']'); err != nil {
		return nil, fmt.Errorf("%s: the list of measurements does not end: %w: %s", pos, err, measurementsForm)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: the list has no measurement: %s", pos, measurementsForm)
	}
	return out, d.end()
}

// measurement reads a measurement. A file has other figures beside it, which the advice does not need.
func (d *document) measurement() (Measurement, error) {
	var m struct {
		Measurement

		P99 *float64 `json:"p99_us"`
	}
	var wrong *json.UnmarshalTypeError
	switch err := d.Decode(&m); {
	case errors.As(err, &wrong):
		return Measurement{}, fmt.Errorf("%s cannot be a JSON %s", cmp.Or(strings.TrimPrefix(wrong.Field, "Measurement."), "a measurement"), wrong.Value)
	case err != nil:
		return Measurement{}, err
	}
	switch {
	case m.Design == "" || m.Elements <= 0 || m.P99 == nil:
		return Measurement{}, errors.New("it has no design, no positive number of elements or no p99_us")
	case !slices.Contains(alternatives.Operations(), alternatives.Operation(m.Operation)):
		return Measurement{}, fmt.Errorf("there is no operation %q: the operations are %s", m.Operation, operations())
	case *m.P99 != 0 && (*m.P99 < minP99 || *m.P99 > maxMicroseconds):
		return Measurement{}, fmt.Errorf("the p99_us %g is neither 0 nor from %g to %g microseconds", *m.P99, minP99, maxMicroseconds)
	}
	m.Measurement.P99 = *m.P99
	return m.Measurement, nil
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
