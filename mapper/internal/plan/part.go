package plan

import (
	"errors"
	"iter"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// PartWrites has the statements that write the rows of a part in the table of its versioned root.
type PartWrites struct {
	*descriptor.PartWrites

	Table *Table
	Of    *Aggregate // the part with its copies; nil without any
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
	PutHead                           // writes the head row of the partition
	DropHead                          // deletes the head row of the partition
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
	switch w.Action {
	case DeletePartRange:
		return w.Of.Table.deleteRange("", len(w.Row), w.Low, w.Up)
	case PutHead:
		return w.Of.Head
	case DropHead:
		return w.Of.Table.deleteRange("", w.Of.Table.Key)
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
	case DeletePart, DropHead:
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

// head returns a statement on the head row of the partition of a root; none without head rows.
func (p *PartWrites) head(action PartAction, key cell.Row) []PartWrite {
	if p == nil || p.Head == "" {
		return nil
	}
	row := make(cell.Row, len(p.Table.Columns))
	copy(row, key[:p.Table.Partition])
	for i, v := range p.HeadKey {
		row[p.Table.Partition+i] = cell.Cell(v)
	}
	return []PartWrite{{Of: p, Action: action, Row: row}}
}

// Prefix appends to a partition key the column in which the rows of a part differ from a head row.
func (t *Table) Prefix(partition cell.Row) cell.Row {
	if partition = partition[:t.Partition:t.Partition]; t.Head > 0 {
		partition = append(partition, cell.Cell{1})
	}
	return partition
}

// OfVersionedRoot reports whether the table has the rows of a part of a versioned root. Its rows show the version of their root.
func (t *Table) OfVersionedRoot() bool {
	return t.Hidden > 0 && t.Deleted == len(t.Columns)-1 && t.Columns[t.Deleted].Kind == projection.Static
}

// beforeHead returns 1 if the column i of a key without the Head column is after that column, and otherwise 0.
func (t *Table) beforeHead(i int) int {
	if t.Head > 0 && i >= t.Head {
		return 1
	}
	return 0
}

// HeadColumns returns the number of Head columns.
func (t *Table) HeadColumns() int {
	if t.Head > 0 {
		return 1
	}
	return 0
}

// IsHead reports whether a row, as it was read, is the head row of its partition, which readers do not return.
func (t *Table) IsHead(row cell.Row) bool {
	return t.Head > 0 && len(row[t.Head]) == 1 && row[t.Head][0] == 0
}

// WithHead inserts the cell of the Head column into the cells of a codec, which begin with the partition key.
func (t *Table) WithHead(row cell.Row) cell.Row {
	if t.Head > 0 && len(row) >= t.Head {
		row = slices.Insert(row, t.Head, cell.Cell{1})
	}
	return row
}

// KeyCells appends the cells of a key, or of the first part of one, to row.
func (t *Table) KeyCells(k *cell.Encoder, row cell.Row) (cell.Row, error) {
	row, err := k.Cells(row)
	if err != nil {
		return nil, t.headFaults(err)
	}
	return t.WithHead(row), nil
}

// FirstKey returns the key of a row that is encoded, or nil if the key itself cannot be encoded.
func (t *Table) FirstKey(e *cell.Encoder) cell.Row {
	if t.Head > 0 {
		return t.WithHead(e.First(t.Key - 1))
	}
	return e.First(t.Key)
}

// headFaults returns an error of encoding with the numbers of the columns of the table.
func (t *Table) headFaults(err error) error {
	var faults cell.Faults
	if t.Head > 0 && errors.As(err, &faults) {
		for _, f := range faults {
			if f.Path[0].Member >= t.Head {
				f.Path[0].Member++
			}
		}
	}
	return err
}

// CheckRow returns the faults of a row of a part as a *[FaultError].
func CheckRow(t *Table, row cell.Row) error {
	p := planner{a: &Aggregate{Root: t}, new: row}
	p.checkKey(view{row: row}, t, -1, nil)
	p.checkIndexes(view{row: row}, t, -1, nil)
	return p.faulty()
}
