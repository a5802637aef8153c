package plan

import (
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// copy plans one copy.
func (p *planner) copy(c *Projection) error {
	switch {
	case p.new == nil && c.Shared:
		return nil
	case p.new == nil && c.Range:
		p.removeRange(c)
		return nil
	case p.new == nil && c.ByKey:
		return p.removeByKey(c)
	case p.update() && !c.Any.Units.Intersects(&p.changed):
		return nil
	case c.permutation:
		p.permute(c)
		return nil
	}
	was, err := c.project(p.old)
	if err != nil {
		return err
	}
	now, err := c.project(p.new)
	if err != nil {
		return err
	}
	p.match(c, &was, &now)
	return nil
}

// permute plans a copy that is the root with another key: its single row is the root's.
func (p *planner) permute(c *Projection) {
	old, new := view{p.old, c}, view{p.new, c}
	was := p.old != nil && hasKey(old, c.Table)
	if was && p.new != nil && (!c.Exists.Units.Intersects(&p.changed) || sameCells(old, new, 0, c.Table.Key)) {
		p.rewrite(c, old, new, false)
		return
	}
	if p.new != nil {
		p.checkKey(new, c.Table, -1, c)
		p.appear(c.Table, c, new, c.Distinct || p.whole)
	}
	if was {
		p.leave(c, old)
	}
}

// removeRange deletes all rows that the root can have in a copy, including rows that the row that was read does not imply,
// because an overlapping write adds them. It only needs the root's key.
func (p *planner) removeRange(c *Projection) {
	m := Mutation{Table: c.Table, Row: p.old, Through: c, Action: Delete}
	if p.a.Root.Key < c.Table.Key {
		m.Column = uint16(p.a.Root.Key)
	}
	p.out = append(p.out, m)
}

// removeByKey deletes the row that a root can have in a copy, whether or not the row that was read implies it: an overlapping write can
// have added it. It only needs the root's key, and the results of the methods that read nothing else.
func (p *planner) removeByKey(c *Projection) error {
	v := view{p.old, c}
	if !c.permutation {
		was, err := c.execute(p.old, true)
		if err != nil {
			return err
		}
		v = view{row: was.row(0)}
	}
	if hasKey(v, c.Table) {
		p.leave(c, v)
	}
	return nil
}

// leave plans a row that no longer follows from the root. A row that another root can have claimed is released.
func (p *planner) leave(c *Projection, v view) {
	if c.Shared {
		return
	}
	p.remove(c.Table, v, p.deleteOffset())
	if c.Owned() {
		p.out[len(p.out)-1].Action = Release
	}
}

// deleteOffset is how far before the write a row is deleted. At the same timestamp a delete wins over an insert, and a row that is
// deleted in an update can be inserted again, with the same key, by the same update.
func (p *planner) deleteOffset() uint8 {
	if p.new != nil {
		return 1
	}
	return 0
}

// match plans the rows of a copy: two rows with the same key are one changed row, the others are inserted or deleted.
func (p *planner) match(c *Projection, was, now *rows) {
	key := c.Table.Key
	found := newFinder(now, key)
	before := newFinder(was, key)
	var storage [64]bool
	stays := storage[:]
	if was.n > len(storage) {
		stays = make([]bool, was.n)
	}
	for i := range now.n {
		row := now.row(i)
		if !p.checkRow(c, now, i, &found) {
			continue
		}
		if j := before.find(row); j >= 0 {
			stays[j] = true
			p.rewrite(c, view{row: was.row(j)}, view{row: row}, c.OwnCells && elementDiffers(c, was.row(j), row))
		} else {
			// Another writer can add the same entry, or another root can have had the row: then the nulls of the later one matter, too.
			p.appear(c.Table, c, view{row: row}, c.Distinct || p.whole || c.OwnCells && p.update())
		}
	}
	for j := range was.n {
		if row := was.row(j); !stays[j] && hasKey(view{row: row}, c.Table) && found.find(row) < 0 {
			p.leave(c, view{row: row})
		}
	}
}

// checkRow reports whether row i is to be written: its key is complete, and no earlier row has the same key.
func (p *planner) checkRow(c *Projection, now *rows, i int, found *finder) bool {
	row := now.row(i)
	if !p.checkKey(view{row: row}, c.Table, now.element(i), c) {
		return false
	}
	p.checkIndexes(view{row: row}, c.Table, now.element(i), c)
	j := found.first(i)
	if j < i && !SameKey(row, now.row(j), len(c.Columns)) {
		p.conflict(c, row, now.element(j), now.element(i))
	}
	return j == i
}

// rewrite plans an existing row: it writes the cells whose source is rewritten. If the existence of the row derives from a
// change, the row marker is written with them, because the marker of a Put keeps the row.
func (p *planner) rewrite(c *Projection, old, new view, element bool) {
	if p.a.TTL(c.Table) > 0 || p.renews {
		p.renew(c, old, new)
		return
	}
	write := c.rewritten(&p.changed, element)
	if write.Intersects(&c.parts) {
		parts := write
		for i := range parts.All() {
			if p.rewritePart(c, &c.Targets[i], old, new, i, element) {
				write.Drop(i)
			}
		}
	}
	if !write.Empty() || c.Exists.Rewritten(&p.changed, element) {
		p.out = append(p.out, p.newPut(c.Table, new, write))
		p.out[len(p.out)-1].one(c.ones)
	}
}

// renew plans an existing row that expires: any change writes all columns of it, with a new TTL. It is written if one of its
// cells changes, or if the root has a new TTL.
func (p *planner) renew(c *Projection, old, new view) {
	if p.renews || !sameCells(old, new, c.Table.Key, len(c.Table.Columns)) {
		p.appear(c.Table, c, new, true)
	}
}

// rewritePart writes the changes within column i, and reports whether they are complete: a UDT of the root that is inserted or
// deleted is written as a whole.
func (p *planner) rewritePart(c *Projection, t *projection.Target, old, new view, i int, element bool) bool {
	switch {
	case t.Form == projection.ByElement:
		p.updateElements(c.Table, new, i, t.Column)
	case t.Form == projection.ByField && (t.Made || old.cell(i) != nil && new.cell(i) != nil):
		p.rewriteFields(c, t, new, i, element)
	default:
		return false
	}
	return true
}

func (p *planner) rewriteFields(c *Projection, t *projection.Target, v view, i int, element bool) {
	var write projection.Bits
	for k := range t.Fields {
		if t.Fields[k].Rewritten(&p.changed, element) {
			write.Add(k)
		}
	}
	if !write.Empty() {
		p.updateFields(c.Table, v, i, write)
	}
}

// elementDiffers compares the elements of the loop, which follow the columns.
func elementDiffers(c *Projection, a, b cell.Row) bool {
	n := len(c.Columns)
	return !same(a[n], b[n]) || !same(a[n+1], b[n+1])
}

// sameCells compares a range of columns of two rows of a copy.
func sameCells(a, b view, from, to int) bool {
	for i := from; i < to; i++ {
		if !same(a.cell(i), b.cell(i)) {
			return false
		}
	}
	return true
}

// hasKey reports whether a row can exist: a row without a key was never written and is not deleted.
func hasKey(v view, t *Table) bool {
	for i := range t.Key {
		if v.cell(i) == nil {
			return false
		}
	}
	return t.Partition != 1 || len(v.cell(0)) > 0
}
