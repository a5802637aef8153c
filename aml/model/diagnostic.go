package model

import (
	"cmp"
	"fmt"
	"slices"
)

// Pos is a place in a source file; Line and Col count from 1, Col in bytes.
type Pos struct {
	File string
	Line int
	Col  int
}

// String gives file:line:col.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// at gives the place n bytes further on the same line.
func (p Pos) at(n int) Pos { p.Col += n; return p }

// Diagnostic is one fault of a model: where it is, which rule it breaks, what is wrong and how to mend it.
type Diagnostic struct {
	Pos  Pos
	Rule Rule
	What string
	Mend string
}

// String gives one line: file:line:col: CODE: what; how to mend it.
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s: %s: %s; %s", d.Pos, d.Rule.Code, d.What, d.Mend)
}

// faults collects diagnostics; nothing stops at the first.
type faults struct{ list []Diagnostic }

func (f *faults) add(pos Pos, r Rule, mend, what string, args ...any) {
	f.list = append(f.list, Diagnostic{Pos: pos, Rule: r, What: fmt.Sprintf(what, args...), Mend: mend})
}

// Sorted gives the diagnostics in the order of the source, each once.
func Sorted(list []Diagnostic) []Diagnostic {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Rule.Code, b.Rule.Code), cmp.Compare(a.What, b.What))
	})
	return slices.Compact(list)
}
