package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/aml/statement"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// The descriptors of columns and programs that the generator and the runtime share.
type (
	Kind   = projection.Kind
	Reads  = projection.Reads
	Cells  = projection.Cells
	Lookup = projection.Lookup
	Code   = projection.Code
	Op     = projection.Op
	Place  = projection.Place
	Bits   = projection.Bits // of columns of a table, of units of a root
)

// The constants of these types.
const (
	PartitionKey  = projection.PartitionKey
	ClusteringKey = projection.ClusteringKey
	Static        = projection.Static
	Regular       = projection.Regular

	Single = projection.Single
	List   = projection.List
	Set    = projection.Set
	Map    = projection.Map
	UDT    = projection.UDT

	Equals   = projection.Equals
	Contains = projection.Contains
	Near     = projection.Near

	Split     = projection.Split
	Make      = projection.Make
	MakeIf    = projection.MakeIf
	Each      = projection.Each
	Entry     = projection.Entry
	Need      = projection.Need
	NeedTrue  = projection.NeedTrue
	NeedOneOf = projection.NeedOneOf
)

// Column describes one column.
type Column struct {
	Name   string // as in system_schema: e-mail
	CQL    string // as in a statement: "e-mail" in quotes
	Field  string // the Go field, for messages: Owner
	Kind   Kind
	Type   string // as in system_schema.columns: list<frozen<vehicle>>
	Cells  Cells
	Fields int    // of a UDT: the number of its fields
	Of     string // the Go struct of the value, in a collection of its elements; "" for none

	// Update writes a part of the value. Set and map: "UPDATE t USING TIMESTAMP ? AND TTL ? SET c = c + ?, c = c - ? WHERE …";
	// UDT: "UPDATE t USING TIMESTAMP ? AND TTL ? SET c.a = ?, c.b = ? WHERE …". The WHERE has the complete primary key, for a
	// static column only the partition key.
	Update string
	Assign []string // of a UDT with a tuple: the assignment of each field, c.a = ? or c.b = (?, ?); nil: Update has the whole statement
	Desc   bool     // clustering key in descending order
	// Form is how Cassandra compares the values of a clustering column, the elements of a set or the keys of a map that is not
	// frozen; nil if by their bytes. A column of the partition key has one only if equal values can have different bytes.
	Form   *cell.Form
	Secret bool       // no message contains the value
	Final  bool       // of a root: only Insert sets the value
	Enum   []Constant // of a root: the values that can be written; none: any
}

// Constant is an encoded value with the name of its Go constant.
type Constant struct{ Name, Value string }

// Table describes one table. Its statements are constants: a driver prepares each of them once.
type Table struct {
	Name      string   // as in system_schema
	Aggregate string   // the Go struct, for messages
	Columns   []Column // partition key, clustering key, then the rest: the order of rows and codecs
	Computed  []string // the values after them in a row of a root: results of methods, with their Go names: Day()
	Reads     []Reads  // of each of them; without an element, a method counts as reading everything
	Partition int      // the number of columns of the partition key, which are the first
	Key       int      // the number of columns of the primary key, which are the first
	TTL       int      // the TTL of a row, in seconds; 0: none. With Lifetimes: the shortest default
	Hidden    int      // how many of the last Columns no codec writes or reads: those in which a versioned root is kept
	Deleted   int      // the hidden column that is true in a deleted row; 0: none
	Statics   bool     // of a root with the rows of a part in its table: its columns are static there, and their values are its row
	Indexes   []Index

	Large    bool // of a root: a write above the limit of a batch is several batches
	Unlogged bool // of a copy: its rows are not in the logged batch of a write
	Cache    int  // of a shared copy: the seconds for which a process does not write a row again; 0: it always does

	Lifetimes []Lifetime // the TTLs of which the shortest applies; nil if none of them has a name: see [Aggregate.TTL]

	InsertStatic string // the partition key and every static column, "… USING TIMESTAMP ? AND TTL ?"; "" without any

	Insert   string   // every column, "… USING TIMESTAMP ? AND TTL ?"
	Delete   string   // "DELETE FROM t USING TIMESTAMP ? WHERE k = ?…"
	Ranges   []string // Delete with the partition key only, and with 1, 2, … clustering columns; nil if unused
	Select   string   // every column, without WHERE
	Get      string   // Select with the complete primary key
	Load     string   // Get with MAXWRITETIME of every column outside the key after the columns; "" for a copy that is not [Projection.Owned]
	Reversed string   // " ORDER BY …", the opposite of the table's order; "" without a clustering key

	// Add is the statement of a table of counters: "UPDATE t SET c = c + ?, … WHERE k = ?…", with every counter. It is "" for any other
	// table. The Delete of such a table has no timestamp, because the server refuses one, and its Insert and Load are "".
	Add string
}

// Lifetime is a TTL of the rows of a table.
type Lifetime struct {
	Name    string // in mapper.Config.TTL; "" for a constant
	Seconds int    // 0: the name has no default
}

// Counts reports whether the columns outside the key are counters.
func (t *Table) Counts() bool { return t.Add != "" }

// Type describes a UDT, or a struct that is stored as a tuple.
type Type struct {
	Name     string // as in system_schema; "" for a tuple
	Of       string // the Go struct
	Fields   []Field
	Identity []int // the fields that distinguish the elements of a collection; none: all fields
}

// Field is a field of a UDT or a member of a tuple.
type Field struct {
	Name string // CQL; "" for a tuple
	Type string // CQL
	Go   string // the Go field, for messages
	Of   string // as that of a [Column]
}

// Schema describes the tables that a store reads and writes.
type Schema struct {
	Package string // the import path of the model
	Types   []*Type
	Tuples  []*Type
	Tables  []*Table
	Views   []*Table // some columns of one of the Tables, including the complete key; only read

	Aggregates []*Aggregate // those of the Tables
}

// Batchlog returns the tables whose writes use the batchlog: those of every aggregate with a copy in another partition than its
// root.
func (s *Schema) Batchlog() (tables []*Table) {
	for _, a := range s.Aggregates {
		if !slices.ContainsFunc(a.Copies, func(p Projection) bool { return p.Elsewhere(a.Root) }) {
			continue
		}
		tables = append(tables, a.Root)
		for i := range a.Copies {
			tables = append(tables, a.Copies[i].Table)
		}
	}
	return tables
}

// Elsewhere reports whether the rows of a copy can be in another partition than their root.
func (p *Projection) Elsewhere(root *Table) bool {
	if p.Table.Partition != root.Partition {
		return true
	}
	for i := range root.Partition {
		if int(p.Columns[i]) != i {
			return true
		}
	}
	return false
}

// IsDeleted reports whether a row, as it was read, is a deleted row of a versioned root, which readers do not return.
func (t *Table) IsDeleted(row cell.Row) bool { return t.Deleted > 0 && row[t.Deleted] != nil }

// PerPartition returns the clause that a read of static columns needs; "" for any other table.
func (t *Table) PerPartition() string {
	if t.Statics {
		return statement.OnePerPartition
	}
	return ""
}

// IsAbsent reports whether a row, as it was read, is no row: that of a partition whose static columns, the only ones of the table,
// have no values, because it has only rows of a part.
func (t *Table) IsAbsent(row cell.Row) bool {
	return t.Statics && !slices.ContainsFunc(row[t.Key:len(t.Columns)], func(c cell.Cell) bool { return c != nil })
}

// Row cuts the row that e holds, appending the cells to row, and normalizes it. Computed values that e does not hold are null.
func (t *Table) Row(e *cell.Encoder, row cell.Row) (cell.Row, error) {
	row, err := t.Cells(e, row)
	if err != nil {
		return nil, err
	}
	t.Normalize(row)
	return row, nil
}

// Cells appends the cells of the row of e to row, as they were encoded.
func (t *Table) Cells(e *cell.Encoder, row cell.Row) (cell.Row, error) {
	row, err := e.Cells(row)
	if err != nil {
		return nil, err
	}
	return t.complete(row)
}

// complete adds null to a row for each hidden column and, if the row has none, for each computed value.
func (t *Table) complete(row cell.Row) (cell.Row, error) {
	visible := len(t.Columns) - t.Hidden
	switch len(row) {
	case visible:
		for range len(t.Computed) {
			row = append(row, nil)
		}
	case visible + len(t.Computed):
	default:
		return nil, fmt.Errorf("plan: codec of %s wrote the wrong number of values: want %d, got %d", t.Name, visible, len(row))
	}
	if t.Hidden > 0 {
		row = slices.Insert(row, visible, make(cell.Row, t.Hidden)...)
	}
	return row, nil
}

// ValidRow appends the row of e to row. Each value that has a fault is null or, if read is not nil, as in that row. ValidRow returns an error
// only for a codec of another table.
func (t *Table) ValidRow(e *cell.Encoder, row, read cell.Row) (cell.Row, error) {
	row, err := t.complete(e.All(row))
	if err != nil {
		return nil, err
	}
	var faults cell.Faults
	errors.As(e.Err(), &faults)
	for _, f := range faults {
		if i := f.Path[0].Member; read != nil {
			row[i] = read[i]
		} else {
			row[i] = nil
		}
	}
	return row, nil
}

// Normalize converts a row to the form in which Cassandra would return it: an empty list, set or map that is not frozen is
// null, and a UDT that is not frozen is null if all its fields are. The key becomes canonical.
func (t *Table) Normalize(row cell.Row) {
	t.Canonical(row)
	for i := t.Key; i < len(t.Columns); i++ {
		row[i] = t.Normal(i, row[i])
	}
}

// Canonical converts the key of a row, or its first columns, to the common encoding of equal values.
func (t *Table) Canonical(row cell.Row) {
	for i := range min(t.Key, len(row)) {
		row[i] = t.Columns[i].Form.Canonical(row[i])
	}
}

// Normal converts a value of a column to the form in which Cassandra would return it.
func (t *Table) Normal(column int, c cell.Cell) cell.Cell {
	if kind := t.Columns[column].Cells; kind != Single && isEmpty(kind, c) {
		return nil
	}
	return c
}

func isEmpty(kind Cells, c cell.Cell) bool {
	if kind != UDT {
		n, ok := cell.Count(c, 1)
		return ok && n == 0
	}
	for w := cell.Members(c); w.More(); {
		if w.Next() != nil {
			return false
		}
	}
	return true
}

// KeyText returns the primary key of a row for messages: brand='Fiat', year=2020. A secret value is … . A row can have fewer
// cells than the key has columns.
func (t *Table) KeyText(row cell.Row) string {
	var b strings.Builder
	for i := range min(t.Key, len(row)) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(t.Columns[i].Name + "=")
		if t.Columns[i].Secret {
			b.WriteString("…")
		} else {
			b.WriteString(cell.Format(t.Columns[i].Type, row[i]))
		}
	}
	return b.String()
}
