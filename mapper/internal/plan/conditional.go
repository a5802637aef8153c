package plan

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"

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

	// Kept is set for a row of a root whose rows expire: the statement has this TTL, and an INSERT, too, writes only the columns in Write.
	Kept *TTL
	// Values is a second statement, without a condition: it writes the columns of the row that expire. nil: none.
	Values *Values

	Parts []PartWrite // writes of rows and ranges in the partition, at most one for each row
}

// TTL is the time to live of the cells of a statement, in seconds; 0: they do not expire.
type TTL int32

// Cell returns the argument of USING TTL.
func (t TTL) Cell() cell.Cell { return binary.BigEndian.AppendUint32(nil, uint32(t)) }

// Values is a statement that writes columns of a row with a TTL of their own. A null deletes the column.
type Values struct {
	CQL   string // "UPDATE t USING TTL ? SET … WHERE key = ?"
	TTL   TTL
	Write projection.Bits
}

// ValuesArgs returns pointers to the arguments of Values: the TTL, the columns in its Write and the key.
func (c *Conditional) ValuesArgs() iter.Seq[*cell.Cell] {
	return func(yield func(*cell.Cell) bool) {
		ttl := c.Values.TTL.Cell()
		_ = yield(&ttl) && each(c.Row, &c.Values.Write, yield) && each(c.Row[:c.Table.Key], nil, yield)
	}
}

// Condition requires that a column equals a value; a nil value is null.
type Condition struct {
	Column int
	Value  cell.Cell
}

// Check returns an error if a statement does not have one marker for each argument: a driver refuses it. Without a statement it returns nil.
func (c *Conditional) Check() error {
	if c.CQL == "" {
		return nil
	}
	err := checkMarkers(c.CQL, c.Args())
	if err == nil && c.Values != nil {
		err = checkMarkers(c.Values.CQL, c.ValuesArgs())
	}
	return err
}

func checkMarkers(statement string, args iter.Seq[*cell.Cell]) error {
	n := 0
	for range args {
		n++
	}
	if markers := strings.Count(statement, "?"); markers != n {
		return fmt.Errorf("plan: %d arguments for the %d markers of %s", n, markers, statement)
	}
	return nil
}

// Args returns pointers to the arguments of the statement: of an INSERT every column, or with Kept the key, the columns in Write and the TTL; of
// an UPDATE with Kept the TTL, the columns in Write, the entries that are added to the map and removed from it, the key and the values of
// the conditions; of a DELETE the key and the values of the conditions.
func (c *Conditional) Args() iter.Seq[*cell.Cell] {
	return func(yield func(*cell.Cell) bool) {
		if c.Insert && c.Kept == nil {
			each(c.Row, nil, yield)
			return
		}
		if c.Insert {
			_ = each(c.Row[:c.Table.Key], nil, yield) && each(c.Row, &c.Write, yield) && c.ttl(yield)
			return
		}
		_ = c.ttl(yield) && each(c.Row, &c.Write, yield) && c.mapArgs(yield) && each(c.Row[:c.Table.Key], nil, yield) && c.conditions(yield)
	}
}

// ttl yields the TTL, if the statement has one.
func (c *Conditional) ttl(yield func(*cell.Cell) bool) bool {
	if c.Kept == nil {
		return true
	}
	ttl := c.Kept.Cell()
	return yield(&ttl)
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
