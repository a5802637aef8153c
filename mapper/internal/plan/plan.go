package plan

import (
	"bytes"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Change is a change of one row of a root. Without Old the row is inserted, without New it is deleted. Rows are results of
// [Table.Row]. For a deletion the key is enough if [Aggregate.DeletedByKey] returns true.
type Change struct {
	Old, New cell.Row
	TTL      int  // the TTL of all written cells, in seconds; 0: the TTL of the table
	Upsert   bool // used without Old: the root's row can exist, so columns that are absent in New are deleted
	Failed   bool // methods of both rows fail: copies whose keys derive from methods stay as they are
	Whole    bool // every cell that is not static is written, changed or not, also in the copies; absent ones as null
}

// Plan returns the mutations that change every table of the aggregate from the old row to the new one. If their primary keys
// differ, the error is [ErrKeyChanged]. If the new row cannot be written, the error is a *[FaultError] with all reasons. The
// root's mutations are first, then the mutations of each copy. Mutations share the bytes of the rows. The caller must decide a
// [Release] before it sends the mutations.
func Plan(a *Aggregate, c Change) ([]Mutation, error) {
	p := planner{a: a, old: c.Old, new: c.New, ttl: c.TTL, over: c.Upsert || c.Whole, whole: c.Whole,
		renews: c.Whole || c.TTL > 0 || a.TTL(a.Root) > 0}
	if err := p.root(); err != nil {
		return nil, err
	}
	if len(p.out) == 0 {
		return nil, p.faulty()
	}
	for i := range a.Copies {
		copied := &a.Copies[i]
		if c.Failed && copied.fromMethods(a.Root, copied.Columns[:copied.Table.Key]) {
			continue
		}
		if err := p.copy(copied); err != nil {
			return nil, err
		}
	}
	return p.out, p.faulty()
}

// planner plans one write.
type planner struct {
	a        *Aggregate
	old, new cell.Row
	ttl      int             // TTL of this write
	over     bool            // there can be a row with the key of the inserted row
	whole    bool            // all cells except static ones are written, in every table
	renews   bool            // the root's row has a new TTL, so that all of its cells and copies are written
	changed  projection.Bits // the units that are rewritten: those that differ between old and new
	out      []Mutation
	delta    delta   // the change of the first set or map; most writes change no other
	deltas   []delta // the changes of the others
	faults   []Fault
}

// delta is the change of a set or a map of the root: the added elements or entries, and the removed elements or keys.
type delta struct {
	column int
	values []cell.Cell
}

func (p *planner) update() bool { return p.old != nil && p.new != nil }

// root plans the root's row.
func (p *planner) root() error {
	t := p.a.Root
	if p.new != nil {
		p.checkKey(view{row: p.new}, t, -1, nil)
		p.checkIndexes(view{row: p.new}, t, -1, nil)
	}
	switch {
	case p.update():
		if !SameKey(p.old, p.new, t.Key) {
			return ErrKeyChanged
		}
		p.compare()
		p.out = make([]Mutation, 0, p.size())
		switch {
		case p.changed.Empty():
		case p.renews:
			p.appear(t, nil, view{row: p.new}, true)
		default:
			p.rewriteRoot()
		}
	case p.new != nil:
		p.out = make([]Mutation, 0, p.size())
		p.appear(t, nil, view{row: p.new}, p.over)
	case p.old != nil:
		p.out = make([]Mutation, 0, p.size()+len(p.a.Parts))
		p.remove(t, view{row: p.old}, 0)
		p.out = append(p.out, p.a.deleteParts(p.old)...)
	}
	return nil
}

// deleteParts deletes the parts of a root that are in separate tables.
func (a *Aggregate) deleteParts(key cell.Row) (out []Mutation) {
	for i, part := range a.Parts {
		out = append(out, Mutation{Table: part, Row: key[:part.Partition], Action: Delete, Column: uint16(part.Partition), One: &a.clears[i]})
	}
	return out
}

// PlanDeleteParts returns the mutations that delete all parts of a root that does not exist, or whose values are not known.
func PlanDeleteParts(a *Aggregate, key cell.Row) []Mutation {
	out := a.deleteParts(key)
	if a.Root.Statics {
		out = append(out, Mutation{Table: a.Root, Row: key, Action: Delete})
	}
	return out
}

// size returns the expected number of mutations. It is exact for roots and copies of single cells, without loops or with a loop
// over a collection of the root that is written or deleted as a whole.
func (p *planner) size() int {
	n := 1
	for i := range p.a.Copies {
		c := &p.a.Copies[i]
		switch {
		case p.update() && c.Loop >= 0 && c.Any.Units.Intersects(&p.changed) && !c.OwnCells:
			n += max(p.elements(c, p.old), p.elements(c, p.new))
		case p.update() && c.Loop >= 0:
		case c.Loop >= 0:
			n += p.elements(c, p.old) + p.elements(c, p.new)
		case !p.update():
			n++
		case c.permutation && c.Exists.Units.Intersects(&p.changed):
			n += 2
		case c.Any.Units.Intersects(&p.changed):
			n++
		}
	}
	return n
}

// elements returns the number of elements of a copy's loop in a row, if the loop is over a column of the root.
func (p *planner) elements(c *Projection, row cell.Row) int {
	op := &c.Ops[c.Loop]
	if int(op.Src) >= len(row) {
		return 0
	}
	n, _ := cell.Count(row[op.Src], op.Code.Values())
	return max(0, n)
}

// compare sets the units that differ between old and new.
func (p *planner) compare() {
	t := p.a.Root
	for i := t.Key; i < len(t.Columns); i++ {
		if same(p.old[i], p.new[i]) {
			continue
		}
		unit := p.a.units[i]
		if t.Columns[i].Cells == projection.UDT {
			p.compareFields(i, unit)
		} else {
			p.changed.Add(unit)
		}
	}
	if p.whole || p.renews && !p.changed.Empty() {
		for u := range p.a.units[len(t.Columns)] {
			p.changed.Add(u)
		}
	}
}

// compareFields compares the fields of a UDT. If the UDT is added or removed, every field differs.
func (p *planner) compareFields(i, unit int) {
	old, new := cell.Members(p.old[i]), cell.Members(p.new[i])
	all := p.old[i] == nil || p.new[i] == nil
	for k := range p.a.Root.Columns[i].Cell().Units() {
		if a, b := old.Next(), new.Next(); all || !same(a, b) {
			p.changed.Add(unit + k)
		}
	}
}

// rewriteRoot writes the changed units: units of one cell in one Put, each of the others with its own statement.
func (p *planner) rewriteRoot() {
	t := p.a.Root
	v := view{row: p.new}
	at := len(p.out)
	p.out = append(p.out, p.newPut(t, v, projection.Bits{}))
	var write projection.Bits
	for i := t.Key; i < len(t.Columns); i++ {
		if !p.changesUnits(i) {
			continue
		}
		switch cells := t.Columns[i].Cells; {
		case cells == projection.Set || cells == projection.Map:
			p.updateElements(t, v, i, i)
		case cells == projection.UDT && p.old[i] != nil && p.new[i] != nil:
			p.updateFields(t, v, i, p.changedFields(i))
		default:
			write.Add(i)
		}
	}
	if p.out[at].Write = write; write.Empty() {
		p.out = append(p.out[:at], p.out[at+1:]...)
		return
	}
	p.out[at].one(p.a.ones)
}

// changesUnits reports whether a unit of column i changes.
func (p *planner) changesUnits(i int) bool {
	for u := p.a.units[i]; u < p.a.units[i+1]; u++ {
		if p.changed.Has(u) {
			return true
		}
	}
	return false
}

// changedFields returns the fields of the UDT column i that change.
func (p *planner) changedFields(i int) (write projection.Bits) {
	for u := p.a.units[i]; u < p.a.units[i+1]; u++ {
		if p.changed.Has(u) {
			write.Add(u - p.a.units[i])
		}
	}
	return write
}

// view is a row of a table: its cells, or registers and the projection that selects them.
type view struct {
	row     cell.Row
	through *Projection
}

func (v view) cell(i int) cell.Cell {
	if v.through != nil {
		i = int(v.through.Columns[i])
	}
	return v.row[i]
}

// appear writes all columns of a row of the root, or of a copy. With nulls, absent columns are deleted.
func (p *planner) appear(t *Table, c *Projection, v view, nulls bool) {
	var write projection.Bits
	for i := t.Key; i < len(t.Columns); i++ {
		if v.cell(i) != nil || nulls && t.Columns[i].Kind != projection.Static || t.Columns[i].Kind == projection.Static && p.clears(c, i, nulls) {
			write.Add(i)
		}
	}
	p.out = append(p.out, p.newPut(t, v, write))
}

// clears reports whether a row that is written deletes the static column i, which is absent in it. Other rows of the partition can
// belong to other roots: then the column is deleted only by an update that has read it. The static values of a copy that derive from
// one root can be left by former rows of the same root, if they were not deleted with the partition.
func (p *planner) clears(c *Projection, i int, nulls bool) bool {
	switch {
	case c == nil:
		return nulls && p.update() && !p.whole
	case c.ownStatics.Has(i):
		return nulls || p.update() || !c.Range
	}
	return p.update() && !p.whole && (nulls || c.Targets[i].Units.Intersects(&p.changed))
}

func (p *planner) newPut(t *Table, v view, write projection.Bits) Mutation {
	return Mutation{Table: t, Row: v.row, Through: v.through, Write: write, Action: Put, TTL: p.rowTTL(t)}
}

// one sets the INSERT of a single column, if the mutation of an existing row has one.
func (m *Mutation) one(ones []string) {
	if m.Write.Len() != 1 {
		return
	}
	if i := m.Write.First(); ones[i] != "" {
		m.One, m.Column = &ones[i], uint16(i)
	}
}

// rowTTL returns the TTL of a row of a table: the shorter of the TTLs of the table and of the write.
func (p *planner) rowTTL(t *Table) int32 {
	of := p.a.TTL(t)
	if p.ttl > 0 && (of == 0 || p.ttl < of) {
		return int32(p.ttl)
	}
	return int32(of)
}

func (p *planner) remove(t *Table, v view, back uint8) {
	p.out = append(p.out, Mutation{Table: t, Row: v.row, Through: v.through, Action: Delete, Back: back})
}

// updateFields writes some fields of the UDT in column i.
func (p *planner) updateFields(t *Table, v view, i int, write projection.Bits) {
	values := make([]cell.Cell, t.Columns[i].Cell().Units())
	w := cell.Members(v.cell(i))
	for k := range values {
		values[k] = w.Next()
	}
	p.out = append(p.out, Mutation{Table: t, Row: v.row, Through: v.through, Values: values, Write: write,
		Column: uint16(i), Action: Update})
}

// updateElements writes the changes in the set or map of the root's column from to column i.
func (p *planner) updateElements(t *Table, v view, i, from int) {
	values := p.difference(from)
	both := values[0] != nil && values[1] != nil
	for k, c := range values {
		if c == nil {
			continue
		}
		m := Mutation{Table: t, Row: v.row, Through: v.through, Values: values, Column: uint16(i), Action: Update}
		m.Write.Add(k)
		if both && k == 1 {
			// An element can have fields that a newer program has added, which the server does not compare where they
			// are null: an element that is removed in one encoding and added in another is one cell, and must stay.
			m.Back = 1
		}
		p.out = append(p.out, m)
	}
}

// difference returns the change of a set or map, which it computes once for the root and all copies.
func (p *planner) difference(column int) []cell.Cell {
	if p.delta.values != nil && p.delta.column == column {
		return p.delta.values
	}
	for _, d := range p.deltas {
		if d.column == column {
			return d.values
		}
	}
	of := &p.a.Root.Columns[column]
	added, removed := difference(p.old[column], p.new[column], of.Cells.Values(), of.Form)
	d := delta{column, []cell.Cell{added, removed}}
	if p.delta.values == nil {
		p.delta = d
	} else {
		p.deltas = append(p.deltas, d)
	}
	return d.values
}

// same reports whether two cells are equal. Cells that share their bytes need no comparison.
func same(a, b cell.Cell) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	return len(a) == 0 || &a[0] == &b[0] || bytes.Equal(a, b)
}

// SameKey reports whether the first columns of two rows, as many as a key has, are equal.
func SameKey(a, b cell.Row, key int) bool {
	for i := range key {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}
