package advisecmd

import (
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/advise"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/jsonline"
)

// unansweredJSON is the documented form of a query that no table answers.
type unansweredJSON struct {
	Kind   string                `json:"kind"` // unanswered
	Query  string                `json:"query"`
	Faults []jsonline.Diagnostic `json:"faults"`
	Offer  string                `json:"offer"`
}

// unusedJSON is the documented form of a table that no query reads.
type unusedJSON struct {
	Kind      string `json:"kind"` // unused
	Table     string `json:"table"`
	Struct    string `json:"struct"`
	Redundant bool   `json:"redundant"`
}

// unlimitedJSON is the documented form of a latency that is not compared.
type unlimitedJSON struct {
	Kind    string `json:"kind"` // unlimited
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// designJSON is the documented form of a design of a relationship.
type designJSON struct {
	Kind         string          `json:"kind"` // design
	Relationship string          `json:"relationship"`
	Form         string          `json:"form"`
	Elements     int             `json:"elements"`
	Priority     int             `json:"priority"`
	Design       string          `json:"design"`
	Number       int             `json:"number"`
	Current      bool            `json:"current"`
	Cost         float64         `json:"cost"`
	Reason       string          `json:"reason"`
	BreakEven    string          `json:"break_even"`
	Loses        []string        `json:"loses"`
	Unlimited    string          `json:"unlimited"`
	Slow         bool            `json:"slow"`
	Operations   []operationJSON `json:"operations"`
	Diff         string          `json:"diff"`
}

// operationJSON is the documented form of an operation of the workload in a design.
type operationJSON struct {
	Operation        string  `json:"operation"`
	Rate             float64 `json:"rate"`
	Requests         int     `json:"requests"`
	Conditional      int     `json:"conditional"`
	Latency          float64 `json:"latency_ms"`
	P99              float64 `json:"p99_ms"`
	MeasuredElements int     `json:"measured_elements"`
}

// omittedJSON is the documented form of a relationship that is not compared.
type omittedJSON struct {
	Kind   string `json:"kind"` // omitted
	Reason string `json:"reason"`
}

func writeJSON(c *cobra.Command, r *advise.Report) error {
	var lines []any
	for _, q := range r.Unanswered {
		line := unansweredJSON{Kind: "unanswered", Query: q.Text, Faults: jsonline.Map(q.Faults, jsonline.NewDiagnostic)}
		if q.Offer != nil {
			line.Offer = q.Offer.Name
		}
		lines = append(lines, line)
	}
	for _, t := range r.Unused {
		lines = append(lines, unusedJSON{"unused", t.Name, t.Aggregate.Struct.Name, !t.Aggregate.IsSource()})
	}
	for _, f := range r.Unlimited {
		lines = append(lines, unlimitedJSON{"unlimited", f.Pos.File, f.Pos.Line, f.Pos.Col, f.What})
	}
	for _, x := range r.Relationships {
		for _, p := range slices.Concat(x.Proposals, x.Losing, x.Cannot) {
			lines = append(lines, newDesignJSON(x, p))
		}
	}
	for _, reason := range r.Omitted {
		lines = append(lines, omittedJSON{"omitted", reason})
	}
	return jsonline.Write(c, lines...)
}

func newDesignJSON(r *advise.Relationship, p *advise.Proposal) designJSON {
	out := designJSON{Kind: "design", Relationship: r.Name, Form: string(r.Form), Elements: r.Elements, Design: p.Name, Number: p.Number, Current: p.Current, Cost: advise.Round(p.Cost, 4),
		Reason: p.Reason, BreakEven: p.BreakEven, Loses: jsonline.List(p.Loses), Unlimited: p.Unlimited, Operations: []operationJSON{}, Diff: p.Diff}
	if !math.IsInf(r.Priority, 1) {
		out.Priority = int(r.Priority)
	}
	for _, o := range alternatives.Operations() {
		if cost := p.Costs[o]; cost != nil && (r.Rates[o] > 0 || r.Limits[o] > 0) {
			out.Operations = append(out.Operations, operationJSON{Operation: string(o), Rate: r.Rates[o], Requests: cost.Requests, Conditional: cost.Conditional, Latency: millis(r.Limits[o])})
		}
	}
	for _, l := range p.Latencies {
		out.Slow = out.Slow || l.IsSlow()
		for i := range out.Operations {
			if o := &out.Operations[i]; o.Operation == string(l.Operation) {
				o.P99, o.MeasuredElements = millis(l.P99), l.Elements
			}
		}
	}
	return out
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
