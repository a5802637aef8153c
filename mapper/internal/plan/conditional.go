package plan

import (
	"iter"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Conditional is a lightweight transaction on one row: a statement that the server carries out if its conditions hold, in one
// order with all other conditional statements of the same partition. It has no timestamp: the server chooses one. A table is
// written either only by conditional statements or only by unconditional ones. With Parts it is a batch of statements on one
// partition. The server carries out all of them if all conditions hold, and otherwise none.
type Conditional struct {
	Table *Table
	CQL   string // the statement; Args has its arguments

	// Row has the cells of the table's columns. An INSERT … IF NOT EXISTS writes all of them. An UPDATE writes the columns in
	// Write to the row with the key; a null deletes the column.
	Row    cell.Row
	Insert bool
	Delete bool // DELETE … IF: the row with the key is deleted
	Write  projection.Bits

	// Of an UPDATE: the entries that are added to the map in column Map, and the keys that are removed from it; both are nil if
	// the map does not change.
	Map            int
	Added, Removed cell.Cell

	If []Condition // set for an UPDATE and a DELETE: all must hold. A missing row has null in every column

	Parts []PartWrite // writes of rows and ranges in the partition, at most one for each row
}

// Condition requires that a column equals a value; a nil value is null.
type Condition struct {
	Column int
	Value  cell.Cell
}

// Args returns pointers to the arguments of the statement: of an INSERT every column; of an UPDATE the columns in Write, the entries
// that are added to the map and removed from it, the key and the values of the conditions; of a DELETE the key and the values of the
// conditions.
func (c *Conditional) Args() iter.Seq[*cell.Cell] {
	return func(yield func(*cell.Cell) bool) {
		if c.Insert {
			each(c.Row, nil, yield)
			return
		}
		_ = each(c.Row, &c.Write, yield) && c.mapArgs(yield) && each(c.Row[:c.Table.Key], nil, yield) && c.conditions(yield)
	}
}

// each yields the cells of a row, or the cells of some of its columns.
func each(row cell.Row, only *projection.Bits, yield func(*cell.Cell) bool) bool {
	for i := range row {
		if (only == nil || only.Has(i)) && !yield(&row[i]) {
			return false
		}
	}
	return true
}

// mapArgs yields the entries that are added to the map and removed from it, if it changes.
func (c *Conditional) mapArgs(yield func(*cell.Cell) bool) bool {
	return c.Added == nil && c.Removed == nil || yield(&c.Added) && yield(&c.Removed)
}

// conditions yields the values of the conditions.
func (c *Conditional) conditions(yield func(*cell.Cell) bool) bool {
	for i := range c.If {
		if !yield(&c.If[i].Value) {
			return false
		}
	}
	return true
}

// BeyondKey returns all columns that are not in the primary key.
func (t *Table) BeyondKey() (columns projection.Bits) {
	for i := t.Key; i < len(t.Columns); i++ {
		columns.Add(i)
	}
	return columns
}

// ColumnIndex returns the index of the column with a name, as in system_schema, or -1 if there is none.
func (t *Table) ColumnIndex(name string) int {
	return slices.IndexFunc(t.Columns, func(c descriptor.Column) bool { return c.Name == name })
}
