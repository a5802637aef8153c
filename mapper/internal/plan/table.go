package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// What the generator and the runtime both know of columns and programs.
type (
	Kind   = projection.Kind
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

	Split    = projection.Split
	Make     = projection.Make
	MakeIf   = projection.MakeIf
	Each     = projection.Each
	Entry    = projection.Entry
	Need     = projection.Need
	NeedTrue = projection.NeedTrue
)

// Column describes one column.
type Column struct {
	Name   string // as system_schema has it: e-mail
	CQL    string // as a statement has it: "e-mail" in quotes
	Field  string // the Go field, for messages: Owner
	Kind   Kind
	Type   string // as system_schema.columns prints it: list<frozen<vehicle>>
	Cells  Cells
	Fields int    // of a UDT: how many it has
	Of     string // the Go struct that the value is made of, in a collection its elements; "" for none

	// Update writes a part of the value. Set and map: "UPDATE t USING TIMESTAMP ? AND TTL ? SET c = c + ?, c = c - ? WHERE
	// …"; UDT: "UPDATE t USING TIMESTAMP ? AND TTL ? SET c.a = ?, c.b = ? WHERE …". The WHERE has the whole primary key, for
	// a static column the partition key alone.
	Update string
	Desc   bool // clustering key in descending order
	// Form is how Cassandra compares the column's values in a key, the elements of a set or the keys of a map that is not
	// frozen. Nil: by their bytes; and in a key, where equal values have equal bytes.
	Form   *cell.Form
	Secret bool // no message may show the value
}

// Table describes one table. Its statements are constants: a driver prepares each of them once.
type Table struct {
	Name      string   // as system_schema has it
	Aggregate string   // the Go struct, for messages
	Columns   []Column // partition key, clustering key, then the rest: the order of rows and codecs
	Computed  []string // what follows them in a row of a root: results of methods, as Go names them: Day()
	Partition int      // the first columns that are the partition key
	Key       int      // the first columns that are the primary key
	TTL       int      // the time to live of a row, in seconds; 0: none
	Hidden    int      // how many of the last Columns no codec writes or reads: those in which a versioned root is kept
	Deleted   int      // the hidden column that is true in a deleted row; 0: none
	Indexes   []Index

	InsertStatic string // the partition key and every static column, "… USING TIMESTAMP ? AND TTL ?"; "" without any

	Insert   string   // every column, "… USING TIMESTAMP ? AND TTL ?"
	Delete   string   // "DELETE FROM t USING TIMESTAMP ? WHERE k = ?…"
	Ranges   []string // Delete by the partition key alone, and by that and 1, 2, … clustering columns; nil where none is deleted so
	Select   string   // every column, without WHERE
	Get      string   // Select by the whole primary key
	Load     string   // Get with MAXWRITETIME of every column beyond the key after the columns; "" for a copy without a [Projection.Owner]
	Reversed string   // " ORDER BY …", the opposite of the table's order; "" without a clustering key
}

// Type describes a UDT, or a struct that is stored as a tuple.
type Type struct {
	Name     string // as system_schema has it; "" of a tuple
	Of       string // the Go struct
	Fields   []Field
	Identity []int // the fields that distinguish the elements of a collection; none: all of them
}

// Field is a field of a UDT or a member of a tuple.
type Field struct {
	Name string // CQL; "" of a tuple
	Type string // CQL
	Go   string // the Go field, for messages
	Of   string // as that of a [Column]
}

// Schema is everything that a store reads and writes.
type Schema struct {
	Types  []*Type
	Tuples []*Type
	Tables []*Table
	Views  []*Table // some columns of one of the Tables, the whole key among them; only read

	Aggregates []*Aggregate // of the Tables
}

// Batchlog returns the tables whose writes go through the batchlog: those of every aggregate with a copy in another
// partition than its root.
func (s *Schema) Batchlog() (tables []*Table) {
	for _, a := range s.Aggregates {
		if !slices.ContainsFunc(a.Copies, func(p Projection) bool { return p.elsewhere(a.Root) }) {
			continue
		}
		tables = append(tables, a.Root)
		for i := range a.Copies {
			tables = append(tables, a.Copies[i].Table)
		}
	}
	return tables
}

// elsewhere reports whether the rows of a copy can be in another partition than their root.
func (p *Projection) elsewhere(root *Table) bool {
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

// Row cuts the row that e holds, appending the cells to row, and normalizes it.
func (t *Table) Row(e *cell.Encoder, row cell.Row) (cell.Row, error) {
	row, err := t.Cells(e, row)
	if err != nil {
		return nil, err
	}
	t.Normalize(row)
	return row, nil
}

// Cells cuts the row that e holds, appending the cells to row, as it was encoded.
func (t *Table) Cells(e *cell.Encoder, row cell.Row) (cell.Row, error) {
	row, err := e.Cells(row)
	if err != nil {
		return nil, err
	}
	if n := len(t.Columns) - t.Hidden + len(t.Computed); len(row) != n {
		return nil, fmt.Errorf("plan: a row of %s has %d values, its codec wrote %d", t.Name, n, len(row))
	}
	if t.Hidden > 0 {
		row = slices.Insert(row, len(t.Columns)-t.Hidden, make(cell.Row, t.Hidden)...)
	}
	return row, nil
}

// Normalize brings a row into the form in which Cassandra would return it: a list, set or map that is not frozen is null
// when it is empty, a UDT that is not frozen is null when all its fields are. The key becomes canonical.
func (t *Table) Normalize(row cell.Row) {
	t.Canonical(row)
	for i := t.Key; i < len(t.Columns); i++ {
		row[i] = t.Normal(i, row[i])
	}
}

// Canonical writes the key of a row, or the first columns of one, in the encoding that equal values have in common.
func (t *Table) Canonical(row cell.Row) {
	for i := range min(t.Key, len(row)) {
		row[i] = t.Columns[i].Form.Canonical(row[i])
	}
}

// Normal brings a value of a column into the form in which Cassandra would return it.
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

// KeyText prints the primary key of a row, for messages: brand='Fiat', year=2020; what is secret as … . A row may
// have fewer cells than the key has columns.
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
