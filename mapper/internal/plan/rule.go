package plan

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Broken returns the rules of the columns that a change of a row of a root violates. Without old, the row is inserted. A value that
// does not change is accepted: a newer program, which has other constants, can have written it.
func (t *Table) Broken(old, new cell.Row) (out []Fault) {
	if new == nil {
		return nil
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if old != nil && same(old[i], new[i]) {
			continue
		}
		if c.Final && old != nil {
			out = append(out, Fault{t, c.Field, "is final: only Insert sets it"})
		}
		if f, ok := t.undeclared(i, new[i]); ok {
			out = append(out, f)
		}
	}
	return out
}

// Undeclared returns a fault if a value of a column is not one of its constants.
func (t *Table) Undeclared(column int, value cell.Cell) []Fault {
	if f, ok := t.undeclared(column, value); ok {
		return []Fault{f}
	}
	return nil
}

func (t *Table) undeclared(column int, value cell.Cell) (f Fault, ok bool) {
	c := &t.Columns[column]
	if len(c.Enum) == 0 || value == nil || slices.ContainsFunc(c.Enum, func(k descriptor.Constant) bool { return k.Value == string(value) }) {
		return f, false
	}
	names := make([]string, len(c.Enum))
	for i, k := range c.Enum {
		names[i] = k.Name
	}
	text := "…"
	if !c.Secret {
		text = cell.Format(c.Type, value)
	}
	return Fault{t, c.Field, "is " + text + ", which is not one of " + strings.Join(names, ", ")}, true
}
