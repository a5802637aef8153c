package model

import (
	"cmp"
	"fmt"
	"slices"
)

// Diagnostic is one fault of a model: its position, the rule that it breaks, its description and its fix.
type Diagnostic struct {
	Pos  Pos
	Rule Rule
	What string
	Fix  string
}

// String returns one line: file:line:col: CODE: what; how to fix it. The code of a warning is followed by ": warning".
func (d Diagnostic) String() string {
	code := d.Rule.Code
	if d.Rule.Severity == Warning {
		code += ": warning"
	}
	return fmt.Sprintf("%s: %s: %s; %s", d.Pos, code, d.What, d.Fix)
}

// Refused reports whether at least one of the diagnostics is a refusal.
func Refused(list []Diagnostic) bool {
	return slices.ContainsFunc(list, func(d Diagnostic) bool { return d.Rule.Severity == Refusal })
}

// faults collects diagnostics; nothing stops at the first.
type faults struct {
	list  []Diagnostic
	moved func(Diagnostic) Diagnostic // changes the position where a diagnostic is reported; nil for no change
}

func (f *faults) add(pos Pos, r Rule, fix, what string, args ...any) {
	f.put(pos, r, fix, what, args...)
	if last := len(f.list) - 1; f.moved != nil {
		f.list[last] = f.moved(f.list[last])
	}
}

// put is like add, but does not change the position. The fix of a warning ends with how to accept the warning.
func (f *faults) put(pos Pos, r Rule, fix, what string, args ...any) {
	if r.Severity == Warning && r.Code != RuleUnusedIgnore.Code {
		fix += "; to accept the warning, write //aml:ignore " + r.Code + " and the reason"
	}
	f.list = append(f.list, Diagnostic{Pos: pos, Rule: r, What: fmt.Sprintf(what, args...), Fix: fix})
}

// ignore removes the warnings that comments silence, and reports comments without effect.
func (f *faults) ignore(comments []Ignore) {
	refused := Refused(f.list) // then the warnings have not been computed
	for _, c := range comments {
		if c.Unread {
			f.add(c.Pos, RuleIgnore, "write //aml:ignore in lower case, without a space", "the comment has no effect, because it does not begin with //aml:ignore")
			continue
		}
		if c.Code == "" || c.Reason == "" {
			f.add(c.Pos, RuleIgnore, "write //aml:ignore CODE and the reason", "aml:ignore without a code and a reason")
			continue
		}
		if slices.ContainsFunc(f.list, func(d Diagnostic) bool { return d.Rule.Severity == Refusal && c.covers(d) }) {
			f.add(c.Pos, RuleIgnore, "fix the refusal", "%s is not a warning and cannot be ignored", c.Code)
			continue
		}
		before := len(f.list)
		f.list = slices.DeleteFunc(f.list, c.covers)
		if len(f.list) == before && !refused {
			f.add(c.Pos, RuleUnusedIgnore, "delete it", "there is no %s to ignore here", c.Code)
		}
	}
}

// covers reports whether a comment applies to a diagnostic.
func (c Ignore) covers(d Diagnostic) bool {
	return d.Rule.Code == c.Code && d.Pos.File == c.Pos.File && d.Pos.Line >= c.From && d.Pos.Line <= c.To
}

// Sorted returns the diagnostics in the order of the source, without duplicates.
func Sorted(list []Diagnostic) []Diagnostic {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Rule.Code, b.Rule.Code), cmp.Compare(a.What, b.What))
	})
	return slices.Compact(list)
}
