package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/aml/statement"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Table is a table with the operations of the planner on its rows. It is converted from a [descriptor.Table], and is the same pointer.
type Table descriptor.Table

// Schema is a schema with the rules of its values. It is converted from a [descriptor.Schema], and is the same pointer.
type Schema descriptor.Schema

// Counts reports whether the columns outside the key are counters.
func (t *Table) Counts() bool { return t.Add != "" }

// IsDeleted reports whether a row, as it was read, is a deleted or expired row of a versioned root, which readers do not return.
func (t *Table) IsDeleted(row cell.Row) bool { return t.Deleted > 0 && t.ShowsDeleted(row[t.Deleted]) }

// ShowsDeleted reports whether a value of the column Deleted shows a deleted row. False shows a row that is being deleted, and still exists.
func (t *Table) ShowsDeleted(c cell.Cell) bool {
	if t.Lives {
		return c == nil
	}
	return isTrue(c)
}

// isTrue reports whether a boolean is true.
func isTrue(c cell.Cell) bool { return len(c) == 1 && c[0] != 0 }

// Timed returns the columns of [descriptor.Table.Timed].
func (t *Table) Timed() []int { return (*descriptor.Table)(t).Timed() }

// Times returns the number of columns that Timed returns.
func (t *Table) Times() int { return (*descriptor.Table)(t).Times() }

// PerPartition returns the clause that a read of static columns needs; "" for any other table.
func (t *Table) PerPartition() string {
	if t.Statics {
		return statement.OnePerPartition
	}
	return ""
}

// HasStatics reports whether a column is static, so that a partition without rows can have values.
func (t *Table) HasStatics() bool {
	return t.Statics || slices.ContainsFunc(t.Columns[t.Key:], func(c descriptor.Column) bool { return c.Kind == projection.Static })
}

// IsAbsent reports whether a row, as it was read, is no row: it is from a partition whose static columns, the only columns of the table,
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
		return nil, t.headFaults(err)
	}
	return t.complete(row)
}

// complete adds null to a row for each hidden column and, if the row has none, for each computed value.
func (t *Table) complete(row cell.Row) (cell.Row, error) {
	row = t.WithHead(row)
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
	errors.As(t.headFaults(e.Err()), &faults)
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
	if kind := t.Columns[column].Cells; kind != projection.Single && isEmpty(kind, c) {
		return nil
	}
	return c
}

func isEmpty(kind projection.Cells, c cell.Cell) bool {
	if kind != projection.UDT {
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
		if i == t.Head && t.Head > 0 {
			continue
		}
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
