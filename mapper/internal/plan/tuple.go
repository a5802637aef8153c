package plan

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Argument is an argument of a statement.
type Argument struct {
	Value cell.Cell
	Set   bool // otherwise the argument is unset
}

// Tuples reports whether a UDT that is not frozen has a tuple.
func (t *Table) Tuples() bool {
	return slices.ContainsFunc(t.Columns, func(c descriptor.Column) bool { return c.Assign != nil })
}

// Expanded returns the arguments of the statement of an Update, a Fill or a FillStatic in place of its Values, if a UDT that it writes
// has a tuple. The driver expects as many values for the marker of a tuple as the tuple has members, and cannot bind them. So the
// statement has only the fields that are written, and each tuple as a literal of its members. expanded is false for other mutations.
func (m *Mutation) Expanded() (args []Argument, expanded bool) {
	kind, from, end := projection.Regular, m.Table.Key, len(m.Table.Columns)
	switch m.Action {
	case Update:
		from, end = int(m.Column), int(m.Column)+1
		kind = m.Table.Columns[from].Kind
	case FillStatic:
		kind = projection.Static
	case Fill:
	default:
		return nil, false
	}
	at := 0
	for i := from; i < end && m.One == nil; i++ {
		c := &m.Table.Columns[i]
		if c.Kind != kind {
			continue
		}
		expanded = expanded || c.Assign != nil
		args = append(args, m.arguments(c, at)...)
		at += c.Cell().Units()
	}
	return args, expanded
}

// arguments returns the arguments of a column, whose first value has a number.
func (m *Mutation) arguments(c *descriptor.Column, at int) (args []Argument) {
	n := c.Cell().Units()
	if m.Action == Update {
		n = len(m.Values)
	}
	values := m.Values[at : at+n]
	writes := func(k int) bool { return m.writes(at + k) }
	if c.Assign != nil {
		for _, v := range assignFields(c, values, writes).values {
			args = append(args, Argument{v, true})
		}
		return args
	}
	for k, v := range values {
		args = append(args, Argument{v, writes(k)})
	}
	return args
}

// writes reports whether a value is written.
func (m *Mutation) writes(k int) bool {
	if m.Action == Update {
		return m.Write.Has(k)
	}
	return m.Values[k] != nil
}

// assigned returns the assignments of an Update of the fields of a UDT with a tuple.
func (m *Mutation) assigned(c *descriptor.Column) string {
	return strings.Join(assignFields(c, m.Values, m.Write.Has).texts, ", ")
}

// assignment is the part of a statement that writes fields of a UDT.
type assignment struct {
	texts  []string // c.a = ?, c.b = (?, ?)
	values []cell.Cell
}

// assignFields returns the assignments of the fields that are written.
func assignFields(c *descriptor.Column, values []cell.Cell, writes func(int) bool) (a assignment) {
	for k, text := range c.Assign {
		if writes(k) {
			i := strings.LastIndex(text, " = ") + len(" = ")
			a.texts = append(a.texts, text[:i]+a.literal(text[i:], values[k]))
		}
	}
	return a
}

// literal returns the text of a value, and adds its arguments. marker is ? or (?, (?, ?)). A tuple that is null is not the same as a
// tuple of nulls.
func (a *assignment) literal(marker string, c cell.Cell) string {
	switch {
	case marker == "?":
		a.values = append(a.values, c)
		return marker
	case c == nil:
		return "null"
	}
	var texts []string
	w := cell.Members(c)
	for _, m := range members(marker) {
		texts = append(texts, a.literal(m, w.Next()))
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// members returns the markers of the members of a tuple.
func members(marker string) (out []string) {
	depth, from := 0, 1
	for i := 1; i < len(marker); i++ {
		switch marker[i] {
		case '(':
			depth++
		case ',', ')':
			if depth == 0 {
				out = append(out, strings.TrimSpace(marker[from:i]))
				from = i + 1
			} else if marker[i] == ')' {
				depth--
			}
		}
	}
	return out
}
