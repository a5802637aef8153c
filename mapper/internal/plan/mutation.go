package plan

import (
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Action is the effect of a mutation on one row.
type Action uint8

// The actions.
const (
	Put        Action = iota // Table.Insert: writes the columns in Write and the row marker; a null deletes the column
	Delete                   // Table.Delete: deletes the row; with a Column a range of rows, by One or one of Table.Ranges
	Update                   // Column.Update: writes a part of one column's value
	PutStatic                // Table.InsertStatic: writes the static columns in Write, a null deletes the column
	Fill                     // an UPDATE of cells outside the key that are not static; null does not change a cell
	FillStatic               // the same of static cells
	Release                  // a Delete of a row of a copy, which is sent unless the row belongs to another root
	Add                      // Table.Add: adds the Values in Write to the counters
)

// String returns the action in lower case.
func (a Action) String() string {
	return [...]string{"put", "delete", "update", "put static", "fill", "fill static", "release", "add"}[a]
}

// Mutation is one statement of an atomic write.
type Mutation struct {
	Table     *Table
	Row       cell.Row        // the cells of the table's columns; with Through its registers
	Through   *Projection     // has the register of each column; nil: the columns themselves
	Values    []cell.Cell     // Update: the arguments between the timestamp and the key; Fill: between the TTL and the key; Add: before the key; Delete: the bounds
	Write     projection.Bits // Put: the columns outside the key that are written; Update, Add: the Values that are written; the others are unset
	One       *string         // Put: the INSERT of the key and Column, nil: Table.Insert; Delete of a range, Update of a list: the statement
	Column    uint16          // Update, and Put with One: the column; Delete: the first key column that the WHERE does not restrict, 0 if it restricts all
	Action    Action
	Low, Up   Comparison // Delete of a range: the bounds of Column and the columns after it, whose values are in Values
	LowValues uint8      // Delete of a range: how many of the Values belong to Low
	Front     bool       // Update of a list: the elements are added at its beginning
	Back      uint8      // how far before the write's timestamp it happens, in microseconds
	At        int64      // its own timestamp, of a row of a copy of a versioned root; 0: the write's, less Back
	TTL       int32      // the TTL of the written values from the write's timestamp on, in seconds; 0: no expiry, regardless of the table's default
}

// Cell returns the cell of column i. A pointer to it needs no allocation in an interface.
func (m *Mutation) Cell(i int) *cell.Cell {
	if m.Through != nil {
		i = int(m.Through.Columns[i])
	}
	return &m.Row[i]
}

// Statement returns the CQL. If a field of a UDT is a tuple, [Mutation.Expanded] returns its arguments in place of the Values.
// Otherwise its arguments are: for Put every column, with One the key and Column, the timestamp and the TTL; for PutStatic
// the [Mutation.KeyColumns], every static column, the timestamp and the TTL; for Delete the timestamp and the
// KeyColumns and the bounds; for Update, Fill and FillStatic the timestamp, the TTL, the Values and the KeyColumns; for Add the Values
// and the KeyColumns. The Delete of a table of counters has no timestamp.
func (m *Mutation) Statement() string {
	switch m.Action {
	case Delete, Release:
		if m.One != nil {
			return *m.One
		}
		if m.Column > 0 {
			return m.Table.Ranges[int(m.Column)-m.Table.Partition]
		}
		return m.Table.Delete
	case Update:
		if m.One != nil {
			return *m.One
		}
		if c := &m.Table.Columns[m.Column]; c.Assign != nil {
			return "UPDATE " + m.Table.CQL() + " USING TIMESTAMP ? AND TTL ? SET " + m.assigned(c) + m.Table.where(m.KeyColumns())
		}
		return m.Table.Columns[m.Column].Update
	case PutStatic:
		return m.Table.InsertStatic
	case Fill, FillStatic:
		return m.fill()
	case Add:
		return m.Table.Add
	}
	if m.One != nil {
		return *m.One
	}
	return m.Table.Insert
}

// KeyColumns returns the number of key columns in the statement.
func (m *Mutation) KeyColumns() int {
	switch {
	case m.Action == PutStatic || m.Action == FillStatic || m.Action == Update && m.Table.Columns[m.Column].Kind == projection.Static:
		return m.Table.Partition
	case m.Action == Delete && m.Column > 0:
		return int(m.Column)
	}
	return m.Table.Key
}

// SamePartition reports whether two mutations have the same bytes as their partition key, also in two tables. The server treats
// them as one mutation.
func (m *Mutation) SamePartition(o *Mutation) bool {
	if m.Table.Partition != o.Table.Partition {
		return false
	}
	for i := range m.Table.Partition {
		if !same(*m.Cell(i), *o.Cell(i)) {
			return false
		}
	}
	return true
}

// Partitions returns the number of different partition keys of mutations.
func Partitions(all []Mutation) int {
	seen := map[string]bool{}
	for i := range all {
		m := &all[i]
		var key []byte
		for j := range m.Table.Partition {
			key = cell.AppendValue(key, *m.Cell(j))
		}
		seen[string(key)] = true
	}
	return len(seen)
}

// WritesList reports whether the mutation writes a list that is not frozen. If such a write is repeated at the same timestamp,
// the elements are added a second time.
func (m *Mutation) WritesList() bool {
	if m.Action != Put && m.Action != PutStatic {
		return false
	}
	for i := m.Table.Key; i < len(m.Table.Columns); i++ {
		if m.Table.Columns[i].Cells == projection.List && m.Write.Has(i) && *m.Cell(i) != nil {
			return true
		}
	}
	return false
}
