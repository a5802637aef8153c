package plan

import (
	"encoding/binary"
	"math"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

const (
	// longest is the greatest that an element of a vector in an index may be: 1e17 as a float.
	longest = 9.9999998e16
	// shortest is the least that the squares of a vector's elements may sum up to where angles are compared: the smallest float
	// of full precision. Below it the server computes no number, and one such vector makes writes beside it time out.
	shortest = 0x1p-126
)

// term is how many bytes of a value the server puts into an index, unless a guardrail is configured otherwise.
const term = 8192

// Refuses returns what is wrong with a value for the index, or with an element of one; "" is nothing. The server takes a value that is too long and never
// finds it, or refuses it, depending on who asks. It fails the write of vectors that it cannot index in a way that cannot be
// told from a node that is down, or accepts them and does not answer any more.
func (i *Index) Refuses(c cell.Cell) string {
	switch {
	case c == nil:
		return ""
	case i.Read != Near && len(c) > term:
		return "is longer than 8192 bytes, which no index finds"
	case i.Read != Near:
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

// refuses returns what is wrong with what an index of the table is to hold of a row.
func (t *Table) refuses(i *Index, c cell.Cell) string {
	if i.Read != Contains {
		return i.Refuses(c)
	}
	per := 1
	if t.Columns[i.Column].Cells == Map {
		per = 2
	}
	for e := newEntries(c, per); e.more; e.next() {
		values := e.values()
		if problem := i.Refuses(values[len(values)-1]); problem != "" {
			return "has an element that " + problem
		}
	}
	return ""
}

// checkIndexes notes what indexes cannot hold of row i of a table (of the root or, with c, of a copy).
func (p *planner) checkIndexes(v view, t *Table, i int, c *Projection) {
	for k := range t.Indexes {
		column := t.Indexes[k].Column
		switch problem := t.refuses(&t.Indexes[k], v.cell(column)); {
		case problem == "":
		case c == nil:
			p.fault(t, t.Columns[column].Field, problem)
		case c.Loop >= 0:
			p.fault(t, p.elementPath(c, i), "gives a row of "+t.Name+" whose "+t.Columns[column].Name+" "+problem)
		default:
			p.fault(t, p.columnPath(c, column), problem)
		}
	}
}

// Index describes how rows are found by the value of a column that is not the whole key.
type Index struct {
	Column int
	Target string // what is indexed, as system_schema.indexes has it: tags in values(tags)
	Read   Lookup

	Similarity string // Near: COSINE, DOT_PRODUCT or EUCLIDEAN

	// How a text is brought into the form that is compared.
	AnyCase bool // in lower case
	Normal  bool // in Unicode's normalization form C
	ASCII   bool // in letters of ASCII, where there are such
}
