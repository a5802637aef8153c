package plan

import (
	"bytes"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Change is what becomes of one row of a root. Without Old it is inserted, without New deleted. Rows come from
// [Table.Row]. To delete a row its key is enough where [Aggregate.DeletedByKey] reports so.
type Change struct {
	Old, New cell.Row
	TTL      int  // the time to live of all that is written, in seconds; 0: that of its table
	Upsert   bool // without Old: the root's row may be there, so what is absent in New is deleted
	Whole    bool // every cell that is not static is written, whether it changes or not and in the copies too: absent ones as null
}

// Plan returns the mutations that take every table of the aggregate from the old row to the new one. Both have the
// same primary key, or it is [ErrKeyChanged]. What the new row cannot be written with is a *[FaultError], which
// lists all of it. The root's mutations come first, then those of each copy. Mutations share the rows' bytes. A [Release] among
// them is to be decided before they are sent.
func Plan(a *Aggregate, c Change) ([]Mutation, error) {
	p := planner{a: a, old: c.Old, new: c.New, ttl: c.TTL, over: c.Upsert || c.Whole, whole: c.Whole,
		renews: c.Whole || c.TTL > 0 || a.Root.TTL > 0}
	if err := p.root(); err != nil {
		return nil, err
	}
	if len(p.out) == 0 {
		return nil, p.faulty()
	}
	for i := range a.Copies {
		if err := p.copy(&a.Copies[i]); err != nil {
			return nil, err
		}
	}
	return p.out, p.faulty()
}

// planner plans one write.
type planner struct {
	a        *Aggregate
	old, new cell.Row
	ttl      int  // of this write
	over     bool // there may be a row where the new one is inserted
	whole    bool // all cells but static ones are written, in every table
	renews   bool // the root's row gets a new time to live, so that all of it and of its copies is written
	changed  Bits // the units that are rewritten: those that old and new differ in
	out      []Mutation
	deltas   []delta
	faults   []Fault
}

// delta is how a set or a map of the root changes: the elements or entries added, the elements or keys removed.
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
		if !sameKey(p.old, p.new, t.Key) {
			return ErrKeyChanged
		}
		p.compare()
		p.out = make([]Mutation, 0, p.size())
		switch {
		case p.changed.Empty():
		case p.renews:
			p.appear(t, view{row: p.new}, true)
		default:
			p.rewriteRoot()
		}
	case p.new != nil:
		p.out = make([]Mutation, 0, p.size())
		p.appear(t, view{row: p.new}, p.over)
	case p.old != nil:
		p.out = make([]Mutation, 0, p.size())
		p.remove(t, view{row: p.old}, 0)
	}
	return nil
}

// size is how many mutations to expect: exact for roots and copies of single cells, without loops or over a collection of the
// root that is written or deleted as a whole.
func (p *planner) size() int {
	n := 1
	for i := range p.a.Copies {
		c := &p.a.Copies[i]
		switch {
		case p.update() && c.Loop >= 0 && c.Any.Units.Meets(&p.changed) && !c.OwnCells:
			n += max(p.elements(c, p.old), p.elements(c, p.new))
		case p.update() && c.Loop >= 0:
		case c.Loop >= 0:
			n += p.elements(c, p.old) + p.elements(c, p.new)
		case !p.update():
			n++
		case c.permutation && c.Exists.Units.Meets(&p.changed):
			n += 2
		case c.Any.Units.Meets(&p.changed):
			n++
		}
	}
	return n
}

// elements is how many elements a copy's loop has in a row, where it is over a column of the root.
func (p *planner) elements(c *Projection, row cell.Row) int {
	op := &c.Ops[c.Loop]
	if int(op.Src) >= len(row) {
		return 0
	}
	n, _ := cell.Count(row[op.Src], op.Code.Values())
	return max(0, n)
}

// compare notes the units in which old and new differ.
func (p *planner) compare() {
	t := p.a.Root
	for i := t.Key; i < len(t.Columns); i++ {
		if same(p.old[i], p.new[i]) {
			continue
		}
		unit := p.a.units[i]
		if t.Columns[i].Cells == UDT {
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

// compareFields compares a UDT by its fields. When it is added or removed, every field is.
func (p *planner) compareFields(i, unit int) {
	old, new := cell.Members(p.old[i]), cell.Members(p.new[i])
	all := p.old[i] == nil || p.new[i] == nil
	for k := range p.a.Root.Columns[i].cell().Units() {
		if a, b := old.Next(), new.Next(); all || !same(a, b) {
			p.changed.Add(unit + k)
		}
	}
}

// rewriteRoot writes the units that change: those of one cell in one Put, the others by their own statement.
func (p *planner) rewriteRoot() {
	t := p.a.Root
	v := view{row: p.new}
	at := len(p.out)
	p.out = append(p.out, p.putOf(t, v, Bits{}))
	var write Bits
	for i := t.Key; i < len(t.Columns); i++ {
		if !p.unitsOf(i) {
			continue
		}
		switch cells := t.Columns[i].Cells; {
		case cells == Set || cells == Map:
			p.updateElements(t, v, i, i)
		case cells == UDT && p.old[i] != nil && p.new[i] != nil:
			p.updateFields(t, v, i, p.fieldsOf(i))
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

// unitsOf reports whether a unit of column i changes.
func (p *planner) unitsOf(i int) bool {
	for u := p.a.units[i]; u < p.a.units[i+1]; u++ {
		if p.changed.Has(u) {
			return true
		}
	}
	return false
}

// fieldsOf returns the fields of the UDT column i that change.
func (p *planner) fieldsOf(i int) (write Bits) {
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

// appear writes a row whole. With nulls, what is absent is deleted; not so a static column of a row that may be new,
// because it belongs to its siblings, too.
func (p *planner) appear(t *Table, v view, nulls bool) {
	var write Bits
	for i := t.Key; i < len(t.Columns); i++ {
		if v.cell(i) != nil || nulls && (p.update() && !p.whole || t.Columns[i].Kind != Static) {
			write.Add(i)
		}
	}
	p.out = append(p.out, p.putOf(t, v, write))
}

func (p *planner) putOf(t *Table, v view, write Bits) Mutation {
	return Mutation{Table: t, Row: v.row, Through: v.through, Write: write, Action: Put, TTL: p.rowTTL(t)}
}

// one takes the INSERT of one column alone, where the mutation of a row that stays has that.
func (m *Mutation) one(ones []string) {
	if m.Write.Len() != 1 {
		return
	}
	if i := m.Write.First(); ones[i] != "" {
		m.One, m.Column = &ones[i], uint16(i)
	}
}

// rowTTL is the time to live of a row of a table: the shorter of those of the table and of the write.
func (p *planner) rowTTL(t *Table) int32 {
	if p.ttl > 0 && (t.TTL == 0 || p.ttl < t.TTL) {
		return int32(p.ttl)
	}
	return int32(t.TTL)
}

func (p *planner) remove(t *Table, v view, back uint8) {
	p.out = append(p.out, Mutation{Table: t, Row: v.row, Through: v.through, Action: Delete, Back: back})
}

// updateFields writes some fields of the UDT in column i.
func (p *planner) updateFields(t *Table, v view, i int, write Bits) {
	values := make([]cell.Cell, t.Columns[i].cell().Units())
	w := cell.Members(v.cell(i))
	for k := range values {
		values[k] = w.Next()
	}
	p.out = append(p.out, Mutation{Table: t, Row: v.row, Through: v.through, Values: values, Write: write,
		Column: uint16(i), Action: Update})
}

// updateElements writes what changes in the set or map of the root's column from into column i.
func (p *planner) updateElements(t *Table, v view, i, from int) {
	values := p.delta(from)
	both := values[0] != nil && values[1] != nil
	for k, c := range values {
		if c == nil {
			continue
		}
		m := Mutation{Table: t, Row: v.row, Through: v.through, Values: values, Column: uint16(i), Action: Update}
		m.Write.Add(k)
		if both && k == 1 {
			// An element can have fields that a newer program has added, which the server does not compare where they
			// are null: what is removed in one encoding and added in another is one cell, and must stay.
			m.Back = 1
		}
		p.out = append(p.out, m)
	}
}

// delta computes the change of a set or map once, for the root and all copies.
func (p *planner) delta(column int) []cell.Cell {
	for _, d := range p.deltas {
		if d.column == column {
			return d.values
		}
	}
	per, of := 1, &p.a.Root.Columns[column]
	if of.Cells == Map {
		per = 2
	}
	added, removed := difference(p.old[column], p.new[column], per, of.Form)
	d := delta{column, []cell.Cell{added, removed}}
	p.deltas = append(p.deltas, d)
	return d.values
}

// same reports whether two cells are equal. Cells that share their bytes compare at once.
func same(a, b cell.Cell) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	return len(a) == 0 || &a[0] == &b[0] || bytes.Equal(a, b)
}

func sameKey(a, b cell.Row, key int) bool {
	for i := range key {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}
