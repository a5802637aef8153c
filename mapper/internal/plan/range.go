package plan

import (
	"strings"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/aml/statement"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Bound is one end of a range of rows: their next columns are on one side of some values, as in (a, b) > (?, ?). As on a server, the
// values are compared from the first to the last, and a descending order of a column changes nothing.
type Bound struct {
	Comparison Comparison
	Values     cell.Row // the values of the first columns that are not restricted yet
}

// Holds reports whether the values of columns, beginning with the first one of the bound, are on its side. compare compares
// two values of the column i columns after it.
func (b Bound) Holds(row cell.Row, compare func(i int, a, b cell.Cell) int) bool {
	order := 0
	for i, v := range b.Values {
		if order = compare(i, row[i], v); order != 0 {
			break
		}
	}
	return b.Comparison.Holds(order)
}

// Comparison describes on which side of a bound a value is.
type Comparison uint8

// The comparisons.
const (
	Unbounded Comparison = iota
	AtLeast
	MoreThan
	AtMost
	LessThan
)

// Operator returns the comparison in CQL: ">=".
func (c Comparison) Operator() string {
	return [...]string{AtLeast: ">=", MoreThan: ">", AtMost: "<=", LessThan: "<"}[c]
}

// Order returns the clause for the order of the table.
func (t *Table) Order() string {
	var columns []string
	for _, c := range t.Columns[t.Partition:t.Key] {
		columns = append(columns, c.CQL)
	}
	return statement.Order(columns, func(i int) bool { return t.Columns[t.Partition+i].Desc })
}

// Restriction returns the relation of a bound in CQL. Its first value belongs to the given column.
func (t *Table) Restriction(column int, b Bound) string {
	var names [8]string
	columns := names[:0]
	for i := range b.Values {
		columns = append(columns, t.Columns[column+i].CQL)
	}
	return statement.Slice(columns, b.Comparison.Operator())
}

// Holds reports whether a value is on the side of a bound. order is the result of comparing the value with the value of the bound.
func (c Comparison) Holds(order int) bool {
	switch c {
	case AtLeast:
		return order >= 0
	case MoreThan:
		return order > 0
	case AtMost:
		return order <= 0
	case LessThan:
		return order < 0
	}
	return true
}

// DeleteRange returns the deletion of all rows of a partition whose key begins with the cells of key, at least the partition key, and
// whose next columns are within the bounds. If key is complete, it is the deletion of one row.
func DeleteRange(t *Table, key cell.Row, low, up Bound) Mutation {
	m := Mutation{Table: t, Row: key, Action: Delete}
	if len(key) == t.Key {
		return m
	}
	m.Column, m.Low, m.Up, m.LowValues = uint16(len(key)), low.Comparison, up.Comparison, uint8(len(low.Values))
	text := t.deleteRange(" USING TIMESTAMP ?", len(key), low, up)
	m.One = &text
	m.Values = append(append(m.Values, low.Values...), up.Values...)
	return m
}

// PlanDeleteRange returns the deletions of a range of rows of a root, as by [DeleteRange], and of all rows that follow from them. ok is
// false if a copy has such rows outside of a range of its own, or if the deletion of the range would also delete the root of a part: then the
// rows must be read and deleted one by one.
func PlanDeleteRange(a *Aggregate, key cell.Row, low, up Bound) (out []Mutation, ok bool) {
	if a.Root.Within && len(key) == a.Root.Partition && low.Values == nil && up.Values == nil {
		return nil, false
	}
	out = append(out, DeleteRange(a.Root, key, low, up))
	for i := range a.Copies {
		c := &a.Copies[i]
		switch {
		case c.Shared:
		case projection.Ranges(c.Columns, c.Table.Partition, c.Table.Key, len(key), max(len(low.Values), len(up.Values))):
			first := make(cell.Row, len(key))
			for k := range first {
				first[k] = key[c.Columns[k]]
			}
			out = append(out, DeleteRange(c.Table, first, low, up))
		default:
			return nil, false
		}
	}
	return out, true
}

// Bounds returns the bounds of the deletion of a range.
func (m *Mutation) Bounds() (low, up Bound) {
	return Bound{m.Low, m.Values[:m.LowValues]}, Bound{m.Up, m.Values[m.LowValues:]}
}

// deleteRange returns the CQL of the deletion of rows whose first columns are given and whose next columns have bounds. using is
// the clause before the condition.
func (t *Table) deleteRange(using string, given int, bounds ...Bound) string {
	var where []string
	for i := range given {
		where = append(where, t.Columns[i].CQL+" = ?")
	}
	for _, b := range bounds {
		if b.Comparison != Unbounded {
			where = append(where, t.Restriction(given, b))
		}
	}
	return "DELETE FROM " + t.CQL() + using + " WHERE " + strings.Join(where, " AND ")
}
