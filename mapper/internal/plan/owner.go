package plan

import (
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// valueAt returns the value at a place in a row of the copy.
func valueAt(p projection.Place, row cell.Row) cell.Cell {
	if p.Field < 0 {
		return row[p.Column]
	}
	w := cell.Members(row[p.Column])
	for range p.Field {
		w.Next()
	}
	return w.Next()
}

// OwnedByOther reports whether a row of the copy, as it was read, belongs to another root than the root of a key: whether it
// contains a different complete key. A row without a complete key has no owner.
func (p *Projection) OwnedByOther(key, row cell.Row) bool {
	own := p.RootKey(row)
	return own != nil && !SameKey(own, key, len(own))
}

// RootKey returns the key of the root that a row of the copy, as it was read, contains, or nil if a part of the key is null.
func (p *Projection) RootKey(row cell.Row) cell.Row {
	key := make(cell.Row, len(p.SourceKey))
	for i, place := range p.SourceKey {
		if key[i] = p.owners[i].Canonical(valueAt(place, row)); key[i] == nil {
			return nil
		}
	}
	if p.head > 0 && len(key) >= p.head {
		key = slices.Insert(key, p.head, cell.Cell{1})
	}
	return key
}

// RootRange returns the key of the root in the order of the columns of a copy whose key begins with it.
func (p *Projection) RootRange(root cell.Row) cell.Row {
	key := make(cell.Row, len(root))
	for i := range key {
		key[i] = root[p.Columns[i]]
	}
	return key
}

// RowWith returns the row of the copy that has the given key and follows from a row of the root, or nil if there is none. The row of
// the root includes the computed values.
func (p *Projection) RowWith(key, root cell.Row) (cell.Row, error) {
	rows, err := p.project(root)
	if err != nil {
		return nil, err
	}
	for i := range rows.n {
		row := rows.row(i)[:len(p.Table.Columns)]
		if SameKey(row, key, p.Table.Key) {
			p.Table.Normalize(row)
			return row, nil
		}
	}
	return nil, nil
}

// ReadsMethods reports whether the rows of the copy derive from results of methods of the root.
func (p *Projection) ReadsMethods(root *Table) bool { return p.fromMethods(root, p.Columns) }

// fromMethods reports whether the existence of a row, or the given registers of its columns, derive from results of methods.
func (p *Projection) fromMethods(root *Table, columns []uint16) bool {
	first := len(root.Columns)
	result := func(register uint16) bool {
		return int(register) >= first && int(register) < first+len(root.Computed)
	}
	return slices.ContainsFunc(columns, result) || slices.ContainsFunc(p.Ops, func(o projection.Op) bool {
		return result(o.Src) || slices.ContainsFunc(o.Args, result)
	})
}

// ImpliesStatic reports whether the static column i of a copy derives from a static column that has a value in a partition of the root. A
// row that is nil has no values.
func (a *Aggregate) ImpliesStatic(c *Projection, i int, root cell.Row) bool {
	for k := a.Root.Key; root != nil && k < len(a.Root.Columns); k++ {
		if a.Root.Columns[k].Kind != projection.Static || root[k] == nil {
			continue
		}
		for u := range c.Targets[i].Units.All() {
			if a.units[k] <= u && u < a.units[k+1] {
				return true
			}
		}
	}
	return false
}

// CopyTo returns the projection for a table; nil for none.
func (a *Aggregate) CopyTo(t *Table) *Projection {
	for i := range a.Copies {
		if a.Copies[i].Table == t {
			return &a.Copies[i]
		}
	}
	return nil
}

// CopyNamed returns the projection for the table with a name; nil for none.
func (a *Aggregate) CopyNamed(table string) *Projection {
	i := slices.IndexFunc(a.Copies, func(p Projection) bool { return p.Table.Name == table })
	if i < 0 {
		return nil
	}
	return &a.Copies[i]
}

// PlanLeft returns the mutations that delete the rows of copies that follow from one row of a root and not from another: the
// remaining rows of a write that another write, with a later timestamp, has replaced. If the root has no row now, it is
// deleted. The caller must decide a [Release] first.
func PlanLeft(a *Aggregate, wrote, now cell.Row) ([]Mutation, error) {
	p := planner{a: a, old: wrote}
	for i := range a.Copies {
		c := &a.Copies[i]
		switch {
		case c.Shared:
			continue
		case c.Range && now == nil:
			p.removeRange(c)
			continue
		}
		was, err := c.project(wrote)
		if err != nil {
			return nil, err
		}
		is, err := c.project(now)
		if err != nil {
			return nil, err
		}
		there := newFinder(&is, c.Table.Key)
		for j := range was.n {
			if row := was.row(j); hasKey(view{row: row}, c.Table) && there.find(row) < 0 {
				p.leave(c, view{row: row})
			}
		}
	}
	return p.out, nil
}
