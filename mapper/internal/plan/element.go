package plan

import (
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// PlanExtend returns the mutation that adds elements to a list of a root, at its end or, with front, at its beginning, without
// the rest of the row: row has the key and the elements, all other cells are null. It is used if no copy has the list.
func PlanExtend(a *Aggregate, row cell.Row, column int, front bool) ([]Mutation, error) {
	p := planner{a: a, new: row}
	p.checkGiven(column)
	m := Mutation{Table: a.Root, Row: row, Values: []cell.Cell{row[column]}, One: &a.extends[column][0], Column: uint16(column), Action: Update, Front: front}
	if m.Write.Add(0); front {
		m.One = &a.extends[column][1]
	}
	return []Mutation{m}, p.faulty()
}

// checkGiven checks the key of a row, and the value of one column in its index.
func (p *planner) checkGiven(column int) {
	v := view{row: p.new}
	if p.a.Root.Columns[column].Kind != projection.Static {
		p.checkKey(v, p.a.Root, -1, nil)
	}
	p.checkIndexes(v, p.a.Root, -1, nil)
}

// PlanElements returns the mutation that adds the elements of a set or a map to a static column, or removes them. It is used if
// no copy has the elements. row has the partition key and the elements.
func PlanElements(a *Aggregate, row cell.Row, column int, remove bool) ([]Mutation, error) {
	p := planner{a: a, old: make(cell.Row, len(row)), new: row}
	p.checkGiven(column)
	if remove {
		p.old, p.new = p.new, p.old
	}
	p.updateElements(a.Root, view{row: row}, column, column)
	return p.out, p.faulty()
}

// With returns a set or a map with more elements or entries, which replace those with the same key, or a list with more elements
// at its end.
func (t *Table) With(column int, old, add cell.Cell) cell.Cell {
	var out collection
	c := &t.Columns[column]
	a, b := newEntries(old, c.Cells.Values()), newEntries(add, c.Cells.Values())
	for a.more || b.more {
		order := -1
		if c.Cells != projection.List || !a.more {
			order = compareEntries(&a, &b, c.Form)
		}
		switch {
		case order < 0 || order == 0 && c.Cells == projection.Set: // an equal element stays as it is encoded
			out.append(a.values()...)
		default:
			out.append(b.values()...)
		}
		if order <= 0 {
			a.next()
		}
		if order >= 0 {
			b.next()
		}
	}
	return out.cell()
}

// Subtract returns a set or a map without some elements, or without the entries with some keys.
func (t *Table) Subtract(column int, old, remove cell.Cell) cell.Cell {
	var out collection
	c := &t.Columns[column]
	a, b := newEntries(old, c.Cells.Values()), newEntries(remove, c.Cells.Values())
	for a.more {
		order := compareEntries(&a, &b, c.Form)
		if order < 0 {
			out.append(a.values()...)
		}
		if order <= 0 {
			a.next()
		}
		if order >= 0 {
			b.next()
		}
	}
	return out.cell()
}
