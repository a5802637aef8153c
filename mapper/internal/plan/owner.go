package plan

import "github.com/cassaml/cassaml/mapper/internal/cell"

// Place is where a row of a copy contains one column of its root's key.
type Place struct {
	Column int // of the copy
	Field  int // of the column's UDT; -1: the column itself is the value
}

// in returns the value at the place in a row of the copy.
func (p Place) in(row cell.Row) cell.Cell {
	if p.Field < 0 {
		return row[p.Column]
	}
	w := cell.Members(row[p.Column])
	for range p.Field {
		w.Next()
	}
	return w.Next()
}

// OwnedByOther reports whether a row of the copy, as it was read, belongs to another root than the one with a key: whether it
// contains a whole key that differs. A row without one has no owner.
func (p *Projection) OwnedByOther(key, row cell.Row) bool {
	differs := false
	for i, place := range p.Owner {
		c := place.in(row)
		if c == nil {
			return false
		}
		differs = differs || !same(p.owners[i].Canonical(c), key[i])
	}
	return differs
}

// CopyTo returns the projection that fills a table; nil for none.
func (a *Aggregate) CopyTo(t *Table) *Projection {
	for i := range a.Copies {
		if a.Copies[i].Table == t {
			return &a.Copies[i]
		}
	}
	return nil
}
