package plan

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

const (
	// longest is the maximum of an element of a vector in an index: 1e17 as a float.
	longest = 9.9999998e16
	// shortest is the minimum of the sum of the squares of a vector's elements if angles are compared: the smallest float of
	// full precision. Below it the result of the server is not a number, and one such vector makes concurrent writes time out.
	shortest = 0x1p-126
)

// term is the maximum size of an indexed value in bytes, unless a guardrail is configured otherwise.
const term = 8192

// Refuses returns the reason why an index cannot contain a value, or an element of a value; "" if it can. The server accepts a
// value that is too long and never finds it, or rejects it, depending on the user. For vectors that it cannot index, the write
// fails with the same error as on a node that is down, or the server accepts them and no longer answers.
func Refuses(i *descriptor.Index, c cell.Cell) string {
	switch {
	case c == nil:
		return ""
	case i.Read != projection.Near && len(c) > term:
		return "is longer than 8192 bytes, which no index finds"
	case i.Read != projection.Near:
		return ""
	}
	sum := 0.0
	for at := 0; at+4 <= len(c); at += 4 {
		x := float64(math.Float32frombits(binary.BigEndian.Uint32(c[at:])))
		if !(math.Abs(x) <= longest) {
			return "has an element that an index of vectors cannot hold: they lie between -1e17 and 1e17"
		}
		sum += x * x
	}
	if i.Similarity == "COSINE" && sum < shortest {
		return "is so close to zero that it has no angle, which COSINE compares"
	}
	return ""
}

// IndexOn returns the index on the column with a name. The generator writes only names of columns that have an index.
func (t *Table) IndexOn(column string) *descriptor.Index {
	c := t.ColumnIndex(column)
	return &t.Indexes[slices.IndexFunc(t.Indexes, func(i descriptor.Index) bool { return i.Column == c })]
}

// refuses returns the faults of the values of a row in the indexes of the table.
func (t *Table) refuses(i *descriptor.Index, c cell.Cell) string {
	if i.Read != projection.Contains {
		return Refuses(i, c)
	}
	for e := newEntries(c, t.Columns[i.Column].Cells.Values()); e.more; e.next() {
		values := e.values()
		if problem := Refuses(i, values[len(values)-1]); problem != "" {
			return "has an element that " + problem
		}
	}
	return ""
}

// checkIndexes adds the faults of the values of row i of a table (of the root or, with c, of a copy) in its indexes.
func (p *planner) checkIndexes(v view, t *Table, i int, c *Projection) {
	for k := range t.Indexes {
		column := t.Indexes[k].Column
		switch problem := t.refuses(&t.Indexes[k], v.cell(column)); {
		case problem == "":
		case c == nil:
			p.fault(t, t.Columns[column].Field, problem)
		case c.Loop >= 0:
			p.fault(t, p.elementPath(c, i), "implies a row of "+t.Name+" whose "+t.Columns[column].Name+" "+problem)
		default:
			p.fault(t, p.columnPath(c, column), problem)
		}
	}
}
