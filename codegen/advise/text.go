package advise

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/codegen/alternatives"
)

// Text describes the report.
func (r *Report) Text(w Weights) string {
	var b strings.Builder
	b.WriteString("queries without an answer:\n")
	if len(r.Unanswered) == 0 {
		b.WriteString("  none\n")
	}
	for _, q := range r.Unanswered {
		for _, f := range q.Faults {
			fmt.Fprintf(&b, "  %s\n", f)
		}
		if q.Offer != nil {
			fmt.Fprintf(&b, "    %s would answer it: aml check -queries prints it\n", q.Offer.Name)
		}
	}
	b.WriteString("\nredundant tables that no query reads:\n")
	if len(r.Unused) == 0 {
		b.WriteString("  none\n")
	}
	for _, t := range r.Unused {
		fmt.Fprintf(&b, "  %s\n", t)
	}
	for _, x := range r.Relationships {
		b.WriteString("\n" + x.text(w))
	}
	return b.String()
}

// text describes the designs of a relationship in the order of their costs.
func (r *Relationship) text(w Weights) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s; for one %s with %d of them:\n", r.Title(), r.Root.Struct, r.Elements)
	for _, o := range alternatives.Operations() {
		if r.Rates[o] > 0 {
			fmt.Fprintf(&b, "  %s %g/s\n", o, r.Rates[o])
		}
	}
	for i, p := range r.Proposals {
		fmt.Fprintf(&b, "  %d. %s: %.3g processors; %s", p.Number, p.Name, p.Cost, p.Reason)
		if i > 0 {
			if at := r.BreakEven(w, r.Proposals[0], p); at != "" {
				b.WriteString("; " + at)
			}
		}
		b.WriteString("\n")
	}
	for _, p := range r.Cannot {
		fmt.Fprintf(&b, "  -  %s: no %s\n", p.Name, p.Reason)
	}
	return b.String()
}

// Proposal returns the proposal with a number, or nil.
func (r *Report) Proposal(number int) *Proposal {
	for _, x := range r.Relationships {
		for _, p := range x.Proposals {
			if p.Number == number {
				return p
			}
		}
	}
	return nil
}
