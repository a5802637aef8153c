package conformance

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// moments is the number of timestamps that a sequence of writes chooses from. It is small, so that many are equal.
const moments = 8

// step is one atomic write of a sequence.
type step struct {
	mutations []plan.Mutation
	at        int64 // at least 2; added to the start of all sequences
}

// author generates writes to one partition.
type author struct {
	*rand.Rand
	partition int32
	steps     int  // up to now
	statics   bool // it writes only static columns
}

// sequence generates a sequence of writes.
func (a *author) sequence() []step {
	a.statics = a.IntN(8) == 0
	out := make([]step, 6+a.IntN(10))
	for i := range out {
		a.steps++
		out[i].at = 2 + a.Int64N(moments)
		for range 1 + a.IntN(6)/4 {
			out[i].mutations = append(out[i].mutations, a.mutation())
		}
	}
	return out
}

func (a *author) mutation() plan.Mutation {
	t := cellsTable
	if a.IntN(5) == 0 {
		t = singleTable
	}
	m := plan.Mutation{Table: t, Row: a.row(t), Back: uint8(a.IntN(4) / 3)}
	switch n := a.IntN(10); {
	case a.statics:
		m.Table, m.Row = cellsTable, a.row(cellsTable)
		a.updateOf(&m, 4)
	case n < 4:
		a.put(&m)
	case n < 5:
		a.fill(&m)
	case n < 8:
		a.update(&m)
	default:
		m.Action = plan.Delete
		if t.Key == t.Partition || a.IntN(2) == 0 {
			break
		}
		column := t.Partition + a.IntN(t.Key-t.Partition)
		m.Column = uint16(column)
		if a.IntN(2) == 0 {
			m = plan.DeleteRange(t, m.Row[:column], a.bound(t, column, plan.AtLeast), a.bound(t, column, plan.AtMost))
		}
	}
	return m
}

// put writes some columns, sometimes with a TTL that no other write of the sequence has. Which of two writes expires later
// then never depends on the second in which they were written.
func (a *author) put(m *plan.Mutation) {
	for i := m.Table.Key; i < len(m.Table.Columns); i++ {
		if a.IntN(3) > 0 {
			m.Write.Add(i)
		}
	}
	if a.IntN(4) == 0 {
		m.TTL = int32(a.steps) * ttlStep
	}
}

// fill writes some cells without the row.
func (a *author) fill(m *plan.Mutation) {
	m.Action = plan.Fill
	for i := m.Table.Key; i < len(m.Table.Columns); i++ {
		switch c := &m.Table.Columns[i]; {
		case c.Kind != projection.Regular:
		case c.Cells == projection.UDT:
			m.Values = append(m.Values, a.maybe(a.text()), a.maybe(integer(a.IntN(3))))
		default:
			m.Values = append(m.Values, a.maybe(a.value(c)))
		}
	}
	if a.IntN(4) == 0 {
		m.TTL = int32(a.steps) * ttlStep
	}
}

const ttlStep = 10_000 // seconds

func (a *author) update(m *plan.Mutation) {
	i := a.IntN(len(m.Table.Columns))
	for m.Table.Columns[i].Update == "" {
		i = a.IntN(len(m.Table.Columns))
	}
	a.updateOf(m, i)
}

// prepends is the statement that adds elements at the beginning of the only list.
var prepends = strings.Replace(cellsTable.Columns[cellsTable.ColumnIndex("notes")].Update, "notes + ?", "? + notes", 1)

// updateOf writes a part of column i.
func (a *author) updateOf(m *plan.Mutation, i int) {
	m.Action, m.Column = plan.Update, uint16(i)
	c := &m.Table.Columns[i]
	switch c.Cells {
	case projection.List:
		m.Values = []cell.Cell{a.value(c)}
		m.Write.Add(0)
		if m.Front = a.IntN(2) == 0; m.Front {
			m.One = &prepends
		}
		return
	case projection.UDT:
		m.Values = []cell.Cell{a.maybe(a.text()), a.maybe(integer(a.IntN(3)))}
	default:
		m.Values = []cell.Cell{a.value(c), a.collection(1, a.element(c))}
	}
	first := a.IntN(2)
	m.Write.Add(first)
	if c.Cells == projection.UDT && a.IntN(2) == 0 {
		m.Write.Add(1 - first)
	}
}

// row generates a value for every column. There are few values of each, so that writes affect the same cells.
func (a *author) row(t *plan.Table) cell.Row {
	row := cell.Row{integer(int(a.partition))}
	for i := t.Partition; i < len(t.Columns); i++ {
		c := &t.Columns[i]
		switch {
		case c.Name == "n":
			row = append(row, binary.BigEndian.AppendUint16(nil, uint16(int16(a.IntN(2)-1))))
		case c.Kind == projection.ClusteringKey:
			row = append(row, cell.Cell([]string{"", "a", "b"}[a.IntN(3)]))
		default:
			row = append(row, a.maybe(a.value(c)))
		}
	}
	return row
}

func (a *author) maybe(c cell.Cell) cell.Cell {
	if a.IntN(4) == 0 {
		return nil
	}
	return c
}

func (a *author) value(c *descriptor.Column) cell.Cell {
	switch {
	case c.Cells == projection.Map:
		return a.collection(2, a.element(c), a.text)
	case c.Cells == projection.Set || c.Cells == projection.List:
		return a.collection(1, a.element(c))
	case c.Cells == projection.UDT || c.Name == "whole":
		return cell.AppendValue(cell.AppendValue(nil, a.maybe(a.text())), a.maybe(integer(a.IntN(3))))
	}
	return a.text()
}

// element generates an element of a set or list, or a key of a map.
func (a *author) element(c *descriptor.Column) func() cell.Cell {
	if c.Name == "tags" || c.Name == "names" {
		return func() cell.Cell { return integer(a.IntN(3) - 1) }
	}
	return a.text
}

func (a *author) text() cell.Cell { return cell.Cell([]string{"", "x", "y", "yy"}[a.IntN(4)]) }

// collection generates a collection of up to two elements with different keys.
func (a *author) collection(per int, value ...func() cell.Cell) cell.Cell {
	n := a.IntN(3)
	out := cell.AppendCount(nil, n)
	var last cell.Cell
	for i := range n {
		key := value[0]()
		for i > 0 && string(key) == string(last) {
			key = value[0]()
		}
		last = key
		if out = cell.AppendValue(out, key); per == 2 {
			out = cell.AppendValue(out, value[1]())
		}
	}
	return out
}

func integer(n int) cell.Cell { return binary.BigEndian.AppendUint32(nil, uint32(int32(n))) }
