package plan

import (
	"strings"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Bound is one end of a range of rows.
type Bound struct {
	Comparison Comparison
	Value      cell.Cell
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

// Restriction returns the part of a relation after the name of the column in CQL.
func (c Comparison) Restriction() string {
	return [...]string{AtLeast: " >= ?", MoreThan: " > ?", AtMost: " <= ?", LessThan: " < ?"}[c]
}

// Operator returns the comparison in CQL: ">=".
func (c Comparison) Operator() string { return strings.Trim(c.Restriction(), " ?") }

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
// whose next column is within the bounds. If key is complete, it is the deletion of one row.
func DeleteRange(t *Table, key cell.Row, low, up Bound) Mutation {
	m := Mutation{Table: t, Row: key, Action: Delete}
	if len(key) == t.Key {
		return m
	}
	m.Column, m.Low, m.Up = uint16(len(key)), low.Comparison, up.Comparison
	statement := t.deleteRange(" USING TIMESTAMP ?", len(key), low.Comparison, up.Comparison)
	m.One = &statement
	for _, b := range [...]Bound{low, up} {
		if b.Comparison != Unbounded {
			m.Values = append(m.Values, b.Value)
		}
	}
	return m
}

// deleteRange returns the CQL of the deletion of rows whose first columns are given and whose next column has bounds. using is the
// clause before the condition.
func (t *Table) deleteRange(using string, given int, bounds ...Comparison) string {
	var where []string
	for i := range given {
		where = append(where, t.Columns[i].CQL+" = ?")
	}
	for _, c := range bounds {
		if c != Unbounded {
			where = append(where, t.Columns[given].CQL+c.Restriction())
		}
	}
	return "DELETE FROM " + t.CQL() + using + " WHERE " + strings.Join(where, " AND ")
}
