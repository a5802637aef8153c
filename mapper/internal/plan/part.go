package plan

import (
	"iter"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// PartWrites has the statements that write the rows of a part in the table of its versioned root.
type PartWrites struct {
	*descriptor.PartWrites

	Table *Table
}

// PartAction is the effect of a [PartWrite].
type PartAction uint8

// The actions.
const (
	PutPart         PartAction = iota // writes the row, whether or not it exists
	InsertPart                        // writes the row, which must not exist
	ChangePart                        // writes the columns in Write of a row that is known to exist
	ChangePartIf                      // the same, for a row that must exist
	DeletePart                        // deletes the row, which must exist
	ClearParts                        // deletes all rows of the partition
	DeletePartRange                   // deletes the rows of a range, whether or not there are any
)

// PartWrite is a statement on the rows of a part. It belongs to a [Conditional] on the static columns of their partition, and is
// carried out with it or not at all.
type PartWrite struct {
	Of     *PartWrites
	Action PartAction
	Row    cell.Row        // the columns of the part; of DeletePart and ClearParts at least the key, of DeletePartRange the columns that equal a value
	Write  projection.Bits // set for a change: the columns that are written; the others are unset
	Low    Bound           // set for DeletePartRange: the bounds of the columns after Row
	Up     Bound
}

// Statement returns the CQL. Args returns its arguments.
func (w *PartWrite) Statement() string {
	if w.Action == DeletePartRange {
		return w.Of.Table.deleteRange("", len(w.Row), w.Low, w.Up)
	}
	return [...]string{w.Of.Put, w.Of.Insert, w.Of.Change, w.Of.ChangeIf, w.Of.Delete, w.Of.Clear}[w.Action]
}

// Exists returns whether the row must exist, and whether the statement has a condition.
func (w *PartWrite) Exists() (must, conditional bool) {
	switch w.Action {
	case InsertPart:
		return false, true
	case ChangePartIf, DeletePart:
		return true, true
	}
	return false, false
}

// Key returns the number of key columns that the statement restricts.
func (w *PartWrite) Key() int {
	switch w.Action {
	case ClearParts:
		return w.Of.Table.Partition
	case DeletePartRange:
		return len(w.Row)
	}
	return w.Of.Table.Key
}

// InRange reports whether a DeletePartRange deletes the row with a primary key.
func (w *PartWrite) InRange(key cell.Row) bool {
	t, n := w.Of.Table, len(w.Row)
	for i := t.Partition; i < n; i++ {
		if t.Columns[i].Form.Compare(key[i], w.Row[i]) != 0 {
			return false
		}
	}
	for _, b := range [...]Bound{w.Low, w.Up} {
		if !b.Holds(key[n:], func(i int, a, b cell.Cell) int { return t.Columns[n+i].Form.Compare(a, b) }) {
			return false
		}
	}
	return true
}

// Args returns pointers to the arguments of the statement, and whether each has a value. An INSERT has every column of
// the part, an UPDATE the columns outside the key and then the key, and a DELETE the key and the bounds.
func (w *PartWrite) Args() iter.Seq2[*cell.Cell, bool] {
	return func(yield func(*cell.Cell, bool) bool) {
		t := w.Of.Table
		key, columns := w.Key(), len(t.Columns)-t.Hidden
		switch w.Action {
		case PutPart, InsertPart:
			key = columns
		case ChangePart, ChangePartIf:
			for i := key; i < columns; i++ {
				if !yield(&w.Row[i], w.Write.Has(i)) {
					return
				}
			}
		}
		for i := range key {
			if !yield(&w.Row[i], true) {
				return
			}
		}
		for _, values := range [...]cell.Row{w.Low.Values, w.Up.Values} {
			for i := range values {
				if !yield(&values[i], true) {
					return
				}
			}
		}
	}
}

// Mutation returns the statement as a mutation without its condition.
func (w *PartWrite) Mutation() Mutation {
	m := Mutation{Table: w.Of.Table, Row: w.Row, Action: Put, Write: w.Write}
	switch w.Action {
	case DeletePartRange:
		return DeleteRange(w.Of.Table, w.Row, w.Low, w.Up)
	case PutPart, InsertPart:
		m.Write = w.Of.Table.visible()
	case DeletePart:
		m.Action = Delete
	case ClearParts:
		m.Action, m.Column = Delete, uint16(w.Of.Table.Partition)
	}
	return m
}

// RootVersion returns the version of the root in a row of its part, as it was read.
func (t *Table) RootVersion(row cell.Row) (Version, error) {
	return DecodeBigint(row[len(t.Columns)-t.Hidden])
}

// visible returns the columns outside the key that a codec writes.
func (t *Table) visible() (columns projection.Bits) {
	for i := t.Key; i < len(t.Columns)-t.Hidden; i++ {
		columns.Add(i)
	}
	return columns
}

// ChangedColumns returns the columns of a part in which two rows differ.
func (p *PartWrites) ChangedColumns(old, new cell.Row) (columns projection.Bits) {
	for i := p.Table.Key; i < len(p.Table.Columns)-p.Table.Hidden; i++ {
		if !same(old[i], new[i]) {
			columns.Add(i)
		}
	}
	return columns
}

// Clearing returns the statement that deletes all rows of the partition of a root.
func (p *PartWrites) Clearing(key cell.Row) PartWrite {
	return PartWrite{Of: p, Action: ClearParts, Row: key[:p.Table.Partition]}
}

// CheckRow returns the faults of a row of a part as a *[FaultError].
func CheckRow(t *Table, row cell.Row) error {
	p := planner{a: &Aggregate{Root: t}, new: row}
	p.checkKey(view{row: row}, t, -1, nil)
	p.checkIndexes(view{row: row}, t, -1, nil)
	return p.faulty()
}
