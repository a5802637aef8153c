package plan

import (
	"slices"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Conditional is a lightweight transaction on one row: a statement that is carried out if the row is as it says, and that the
// server orders against all others of the same partition. It has no timestamp: the server stamps it. A table is written by
// conditional statements or by others, never by both.
type Conditional struct {
	Table *Table
	CQL   string // the statement; its arguments are those of Args

	// Row has the cells of the table's columns. An INSERT … IF NOT EXISTS writes all of them. An UPDATE writes those in
	// Write, a null deletes the column, and names the row by the key.
	Row    cell.Row
	Insert bool
	Write  Bits

	// Of an UPDATE: entries that are added to and keys that are removed from the map in column Map; both nil: none.
	Map            int
	Added, Removed cell.Cell

	If []Condition // of an UPDATE: all must hold. A row that is not there has null in every column
}

// Condition is that a column equals a value; nil is null.
type Condition struct {
	Column int
	Value  cell.Cell
}

// Args returns the arguments of the statement: of an INSERT every column; of an UPDATE the columns in Write, what is added
// to and removed from the map, the key and the conditions.
func (c *Conditional) Args() cell.Row {
	if c.Insert {
		return c.Row
	}
	args := make(cell.Row, 0, len(c.Row)+2+len(c.If))
	for i := c.Table.Key; i < len(c.Table.Columns); i++ {
		if c.Write.Has(i) {
			args = append(args, c.Row[i])
		}
	}
	if c.Added != nil || c.Removed != nil {
		args = append(args, c.Added, c.Removed)
	}
	args = append(args, c.Row[:c.Table.Key]...)
	for _, x := range c.If {
		args = append(args, x.Value)
	}
	return args
}

// BeyondKey returns all columns beyond the primary key.
func (t *Table) BeyondKey() (columns Bits) {
	for i := t.Key; i < len(t.Columns); i++ {
		columns.Add(i)
	}
	return columns
}

// ColumnOf returns the index of the column with a name, as system_schema has it; -1 for none.
func (t *Table) ColumnOf(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}
