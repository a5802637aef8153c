package advise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/alternatives"
	"github.com/cassaml/cassaml/codegen/query"
)

// ofOneMachine describes the measurements of docs/study.md.
const ofOneMachine = "the p99 of latencies was measured on one machine with 2 processors; measure on yours, and name the file with -measurements"

// Text describes the report.
func (r *Report) Text() string {
	var b strings.Builder
	section := func(title string, lines []string) {
		b.WriteString(title + ":\n")
		if len(lines) == 0 {
			b.WriteString("  none\n")
		}
		for _, l := range lines {
			b.WriteString("  " + l + "\n")
		}
	}
	var unanswered, unused, unlimited []string
	for _, q := range r.Unanswered {
		unanswered = append(unanswered, describeQuery(q)...)
	}
	for _, t := range r.Unused {
		unused = append(unused, t.Name+": "+describeUnused(t.Aggregate))
	}
	for _, f := range r.Unlimited {
		unlimited = append(unlimited, f.String())
	}
	section("queries without an answer", unanswered)
	section("\ntables that no query reads", unused)
	if unlimited != nil {
		section("\nlatencies that are not compared", unlimited)
	}
	for _, x := range r.Relationships {
		b.WriteString("\n" + x.text())
	}
	if r.Published {
		section("\nmeasurements", []string{ofOneMachine})
	}
	if r.Omitted != nil {
		section("\nrelationships that are not compared", r.Omitted)
	}
	return b.String()
}

// describeQuery describes why a query has no answer, and the redundant table that would answer it.
func describeQuery(q *query.Query) (out []string) {
	for _, f := range q.Faults {
		out = append(out, f.String())
	}
	if q.Offer != nil {
		out = append(out, "  "+q.Offer.Name+" would answer it: aml check -queries prints it")
	}
	return out
}

// describeUnused describes the table of an aggregate that no query reads, and the fix.
func describeUnused(a *model.Aggregate) string {
	switch {
	case a.Redundancy != nil:
		return "it is redundant; without " + a.Struct.Name + ", no write of " + a.Redundancy.Source.Struct.Name + " has to follow it"
	case a.Root != nil:
		return "the parts of " + a.Root.Struct.Name
	}
	return "a root; if its rows are read, add the query"
}

// text describes the designs of a relationship in the order of their costs.
func (r *Relationship) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s; for one %s with %d of them:\n", r.Title(), r.Root.Struct, r.Elements)
	for _, o := range alternatives.Operations() {
		if r.Rates[o] == 0 {
			continue
		}
		fmt.Fprintf(&b, "  %s %g/s", o, r.Rates[o])
		if limit := r.Limits[o]; limit > 0 {
			fmt.Fprintf(&b, ", in %s", limit)
		}
		b.WriteString("\n")
	}
	for _, p := range r.Proposals {
		fmt.Fprintf(&b, "  %d. %s%s: %.3g processors; %s", p.Number, p.Name, p.mark(), p.Cost, p.Reason)
		if p.BreakEven != "" {
			b.WriteString("; " + p.BreakEven)
		}
		b.WriteString("\n")
		if p.Unlimited != "" {
			b.WriteString("     " + p.Unlimited + "\n")
		}
		for _, l := range p.Latencies {
			b.WriteString(l.text())
		}
	}
	b.WriteString(r.textLosing())
	b.WriteString(r.textCannot())
	return b.String()
}

// textLosing describes the designs that lose guarantees of the model.
func (r *Relationship) textLosing() string {
	if len(r.Losing) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("  designs that lose guarantees of the model, with their numbers for -diff:\n")
	for _, p := range r.Losing {
		fmt.Fprintf(&b, "  -  %s (-diff %d): %.3g processors\n", p.Name, p.Number, p.Cost)
		for _, l := range p.Loses {
			b.WriteString("     loses: " + l + "\n")
		}
		for _, l := range p.Latencies {
			b.WriteString(l.text())
		}
	}
	return b.String()
}

// mark marks the design of the model.
func (p *Proposal) mark() string {
	if p.Current {
		return " (the model)"
	}
	return ""
}

// textCannot has a line for each reason, with the designs that cannot serve the workload because of it.
func (r *Relationship) textCannot() (out string) {
	names := map[string][]string{}
	var reasons []string
	for _, p := range r.Cannot {
		if names[p.Reason] == nil {
			reasons = append(reasons, p.Reason)
		}
		names[p.Reason] = append(names[p.Reason], p.Name)
	}
	for _, reason := range reasons {
		out += fmt.Sprintf("  -  %s: %s\n", strings.Join(names[reason], ", "), reason)
	}
	return out
}

// text describes a time above its limit, or one that is not measured; "" for any other.
func (l Latency) text() string {
	switch {
	case l.P99 == 0:
		return fmt.Sprintf("     not measured: %s\n", l.Operation)
	case l.IsSlow():
		return fmt.Sprintf("     ! too slow: the measured p99 of %s is %s, with %d elements\n", l.Operation, l.P99, l.Elements)
	}
	return ""
}

// Proposal returns the proposal with a number, or nil.
func (r *Report) Proposal(number int) *Proposal {
	for _, x := range r.Relationships {
		for _, p := range slices.Concat(x.Proposals, x.Losing) {
			if p.Number == number {
				return p
			}
		}
	}
	return nil
}
