package plan

import (
	"encoding/binary"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// difference compares two sets (per 1) or maps (per 2), both in the order of f for their elements or keys. added is a set of
// the elements, or a map of the entries, that only new has; removed is a set of the elements or keys that only old has. Each is
// nil if there are none.
func difference(old, new cell.Cell, per int, f *cell.Form) (added, removed cell.Cell) {
	a, b := newEntries(old, per), newEntries(new, per)
	switch {
	case !a.more && b.more: // this copies no elements
		return new, nil
	case a.more && !b.more && per == 1:
		return nil, old
	}
	var add, drop collection
	for a.more || b.more {
		switch order := compareEntries(&a, &b, f); {
		case order < 0:
			drop.append(a.key)
			a.next()
		case order > 0:
			add.append(b.values()...)
			b.next()
		default:
			if !same(a.value, b.value) {
				add.append(b.values()...)
			}
			a.next()
			b.next()
		}
	}
	return add.cell(), drop.cell()
}

// entries walks a set or a map in order.
type entries struct {
	w      cell.Walker
	left   int
	per    int
	more   bool
	fields [2]cell.Cell
	key    cell.Cell
	value  cell.Cell
}

func newEntries(c cell.Cell, per int) entries {
	e := entries{per: per}
	e.w, e.left = cell.Elements(c, per)
	e.next()
	return e
}

func (e *entries) next() {
	if e.more = e.left > 0; !e.more {
		return
	}
	e.left--
	e.key = e.w.Next()
	if e.per == 2 {
		e.value = e.w.Next()
	}
	e.fields = [2]cell.Cell{e.key, e.value}
}

func (e *entries) values() []cell.Cell { return e.fields[:e.per] }

// compareEntries orders the current entries by key; an exhausted iterator is last.
func compareEntries(a, b *entries, f *cell.Form) int {
	switch {
	case !a.more:
		return 1
	case !b.more:
		return -1
	}
	return f.Compare(a.key, b.key)
}

// collection collects elements or entries after their count.
type collection struct {
	b []byte
	n int
}

func (c *collection) append(values ...cell.Cell) {
	if c.b == nil {
		c.b = make([]byte, 4, 64)
	}
	for _, v := range values {
		c.b = cell.AppendValue(c.b, v)
	}
	c.n++
}

func (c *collection) cell() cell.Cell {
	if c.n == 0 {
		return nil
	}
	binary.BigEndian.PutUint32(c.b, uint32(c.n))
	return c.b
}
