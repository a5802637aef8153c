package plan

import (
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// The sizes that Cassandra 5 counts for a batch in addition to the values.
const (
	partitionSize = 29 // each partition of a table: its deletion, and its static row
	rowSize       = 21 // each row: its marker and its deletion
	expirySize    = 12 // each row marker that expires: its TTL and the time of its end
	cellSize      = 20 // each cell: its timestamp, its TTL and its deletion
	complexSize   = 12 // each column of several cells: its deletion
	listPathSize  = 16 // each element of a list: its identifier
	fieldPathSize = 2  // each field of a UDT: its index

	lengthSize = 4 // the count of a collection, and the length before each of its values: not counted
)

// Size estimates the number of bytes that the server counts for the mutation. It is exact for the only row of its partition,
// except for a Fill, whose values are counted as one cell each, and an Add. The partition key is not counted.
func (m *Mutation) Size() int {
	n := partitionSize + rowSize
	for i := m.Table.Partition; i < m.KeyColumns(); i++ {
		n += len(*m.Cell(i))
	}
	switch m.Action {
	case Delete:
		if m.Column > 0 { // a range has two ends
			for i := m.Table.Partition; i < m.KeyColumns(); i++ {
				n += len(*m.Cell(i))
			}
			for _, v := range m.Values {
				n += len(v)
			}
		}
	case Put, PutStatic:
		if m.Action == Put && m.TTL > 0 {
			n += expirySize
		}
		for i := m.Table.Key; i < len(m.Table.Columns); i++ {
			if m.Write.Has(i) {
				n += columnSize(m.Table.Columns[i].Cells, *m.Cell(i))
			}
		}
	case Update:
		n += complexSize + m.partSize()
	case Add:
		for i, v := range m.Values {
			if m.Write.Has(i) {
				n += cellSize + len(v)
			}
		}
	case Fill, FillStatic:
		for _, v := range m.Values {
			if v != nil {
				n += cellSize + len(v)
			}
		}
	}
	return n
}

// MaxOverhead is greater than the result of [Mutation.Overhead] for any table: a partition key has at most 64 KiB, and a table
// fewer than a thousand columns.
const MaxOverhead = 256 << 10

// Overhead returns an upper bound of the bytes of a mutation, and of its statement, in addition to [Mutation.Size]: the key,
// the identifiers of table and statement, and for each column its name in the mutation and its length in the statement.
func (m *Mutation) Overhead() int {
	const fixed, column = 128, 8
	n := fixed
	for i := range m.KeyColumns() {
		n += len(*m.Cell(i))
	}
	for i := range m.Table.Columns {
		n += column + len(m.Table.Columns[i].Name)
	}
	return n
}

// columnSize returns the size of a column that is written as a whole.
func columnSize(kind projection.Cells, c cell.Cell) int {
	switch kind {
	case projection.List:
		return complexSize + elementsSize(c, 1, listPathSize)
	case projection.Set:
		return complexSize + elementsSize(c, 1, 0)
	case projection.Map:
		return complexSize + elementsSize(c, 2, 0)
	case projection.UDT:
		return complexSize + fieldsSize(c)
	}
	return cellSize + len(c)
}

// elementsSize returns the size of the cells of a collection; per is the number of values of a cell, path the size of its other
// parts.
func elementsSize(c cell.Cell, per, path int) int {
	n, _ := cell.Count(c, per)
	if n == 0 {
		return 0
	}
	return n*(cellSize+path) + len(c) - lengthSize*(1+n*per)
}

func fieldsSize(c cell.Cell) (n int) {
	for w := cell.Members(c); w.More(); {
		if v := w.Next(); v != nil {
			n += cellSize + fieldPathSize + len(v)
		}
	}
	return n
}

// partSize returns the size of the cells that an Update writes.
func (m *Mutation) partSize() (n int) {
	for i, v := range m.Values {
		switch kind := m.Table.Columns[m.Column].Cells; {
		case !m.Write.Has(i):
		case kind == projection.UDT:
			n += cellSize + fieldPathSize + len(v)
		case kind == projection.List:
			n += elementsSize(v, 1, listPathSize)
		case kind == projection.Map && i == 0:
			n += elementsSize(v, 2, 0)
		default: // the elements of a set, or the keys of removed entries
			n += elementsSize(v, 1, 0)
		}
	}
	return n
}
