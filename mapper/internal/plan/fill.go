package plan

import (
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// BackfillWrite is a write of cells of one row of a copy, all with the same stamp. Its mutations have the same partition, write
// no tombstones, and can be repeated.
type BackfillWrite struct {
	Mutations []Mutation
	At        int64
}

// longAgo is the write time of a row without a write time, because its source has no cell with a value. It is before every
// write of a concurrent writer, so that any later change of the row wins.
const longAgo = 1

// PlanBackfill returns the writes for the rows of a copy that follow from one row of the root, for use while other programs
// write. A row has the write time of the newest cell of the root that determines its existence (the cells of its key, of the
// condition and of the loop's element). A cell has the write time of the newest of those cells and of the cells that it derives
// from. So a write or a deletion of a concurrent writer because of a later change is newer, and wins in any order. A
// deletion of the row before it was inserted again is older than the cell that caused the insertion. A repeated backfill
// changes nothing. Absent values are not written. A row that expires is written as if it was written with all columns at the
// last change of its sources; now is the time at which the row was read, in microseconds since 1970.
//
// The last key column of row is nil if the partition only has static values. If the copy cannot be written, the error is a
// *[FaultError].
func PlanBackfill(a *Aggregate, c *Projection, row cell.Row, s *Stamps, now int64) ([]BackfillWrite, error) {
	p := planner{a: a, new: row}
	given, err := c.project(row)
	if err != nil {
		return nil, err
	}
	f := filler{a: a, c: c, stamps: s, now: now}
	if row[a.Root.Key-1] == nil {
		if given.n > 0 {
			f.statics(given.row(0))
		}
		return f.out, nil
	}
	found := newFinder(&given, c.Table.Key)
	elements := f.loop(&given, &found)
	for i := range given.n {
		if p.checkRow(c, &given, i, &found) {
			f.row(given.row(i), elements[i])
		}
	}
	return f.out, p.faulty()
}

// filler plans the writes of the rows of one copy.
type filler struct {
	a      *Aggregate
	c      *Projection
	stamps *Stamps
	now    int64
	groups []group // stamps of the current row
	out    []BackfillWrite

	element Stamp // stamp of the loop's element of the row
	decided Stamp // stamp of the newest cell that determines the existence of the row
	exists  Stamp // stamp of the row itself
}

// group has the cells of a row with the same stamp.
type group struct {
	Stamp
	exists          bool // the row itself is in the group
	write           projection.Bits
	regular, static []cell.Cell // cells in the form of Fill and FillStatic
}

// loop returns the stamps of the elements of the rows. Several elements of one row are one.
func (f *filler) loop(given *rows, found *finder) []Stamp {
	out := make([]Stamp, given.n)
	if !f.c.OwnCells {
		return out
	}
	for i := range out {
		at := found.first(i)
		key := given.row(i)[len(f.c.Columns)]
		out[at] = out[at].with(f.stamps.element(f.a, int(f.c.Ops[f.c.Loop].Src), key))
	}
	return out
}

// row plans one row.
func (f *filler) row(row cell.Row, element Stamp) {
	if f.collect(row, element) {
		f.flush(row)
	}
}

// collect sets the groups of a row. It returns false if the row has expired.
func (f *filler) collect(row cell.Row, element Stamp) bool {
	f.element, f.decided = element, f.stamps.derive(&f.c.Exists, element)
	f.exists = f.decided.or(f.key())
	f.groups = f.groups[:0]
	if f.a.TTL(f.c.Table) > 0 {
		if f.exists = f.wholeRow(row); f.exists.RemainingTTL <= 0 {
			return false
		}
	}
	f.group(f.exists).exists = true
	f.columns(row, func(projection.Kind) bool { return true })
	return true
}

// key returns the stamp of a row that exists because of the key of the root: it expires with the last value of the root.
func (f *filler) key() Stamp {
	if !f.stamps.row.There {
		return Stamp{At: longAgo, RemainingTTL: int32(f.a.TTL(f.a.Root)), There: true}
	}
	return Stamp{At: f.stamps.row.At, RemainingTTL: f.stamps.longestTTL(f.a), There: true}
}

// statics plans the static values of a partition without rows.
func (f *filler) statics(row cell.Row) {
	f.element, f.decided, f.exists = Stamp{}, Stamp{}, Stamp{}
	if f.a.TTL(f.c.Table) > 0 {
		if f.exists = f.wholeRow(row); f.exists.RemainingTTL <= 0 {
			return
		}
	}
	f.columns(row, func(k projection.Kind) bool { return k == projection.Static })
	f.flush(row)
}

// wholeRow returns the stamp of all cells of a row that expires: the row is written as a whole with the last change of any of
// its cells, and the remaining TTL is relative to that change, rounded down.
func (f *filler) wholeRow(row cell.Row) Stamp {
	whole := f.exists
	for i := f.c.Table.Key; i < len(f.c.Columns); i++ {
		t := &f.c.Targets[i]
		switch {
		case row[i] == nil:
		case t.Form == projection.ByField:
			fields := cell.Members(row[i])
			for k := range t.Fields {
				if fields.Next() != nil {
					whole = whole.with(f.stamps.derive(&t.Fields[k], f.element))
				}
			}
		default:
			whole = whole.with(f.stamps.derive(&t.Origin, f.element))
		}
	}
	age := max(0, (f.now-whole.At+1e6-1)/1e6)
	left := int64(f.a.TTL(f.c.Table)) - age
	if !whole.There || left <= 0 {
		return Stamp{}
	}
	whole.RemainingTTL = shorter(whole.RemainingTTL, int32(left))
	return whole
}

// columns adds the columns outside the key to the groups of their stamps.
func (f *filler) columns(row cell.Row, wanted func(projection.Kind) bool) {
	t := f.c.Table
	var slots [projection.Regular + 1]int
	for i := t.Key; i < len(t.Columns); i++ {
		kind := t.Columns[i].Kind
		slot := slots[kind]
		slots[kind] += t.Columns[i].Cell().Units()
		if row[i] != nil && wanted(kind) {
			f.column(i, slot, row[i])
		}
	}
}

// column adds one column.
func (f *filler) column(i, slot int, v cell.Cell) {
	target, c := &f.c.Targets[i], &f.c.Table.Columns[i]
	whole := f.stamp(c.Kind, f.stamps.derive(&target.Origin, f.element))
	switch {
	case f.a.TTL(f.c.Table) == 0 && target.Form == projection.ByElement:
		f.elements(i, slot, v, target.Column)
	case target.Form == projection.ByField:
		f.fields(i, slot, v, func(k int) Stamp { return f.stamp(c.Kind, f.ofField(target, k)) })
	case c.Cells == projection.UDT:
		f.fields(i, slot, v, func(int) Stamp { return whole })
	default:
		f.value(i, slot, v, whole)
	}
}

// stamp returns the stamp of a cell from the stamp of its sources. A deleted row has a tombstone, which is older than the
// change that inserted the row again, and newer than a value that has not changed since: so a cell has the later of both times.
// Static cells are not deleted with a row. All cells of a row that expires have the same stamp.
func (f *filler) stamp(kind projection.Kind, value Stamp) Stamp {
	if f.a.TTL(f.c.Table) > 0 {
		return f.exists
	}
	if kind != projection.Static {
		value = value.with(f.decided)
	}
	return value.or(f.exists)
}

// ofField returns the stamp of the sources of a field of a UDT. If writers insert and delete the UDT as a whole, a field is at
// least as new as the change that inserted it.
func (f *filler) ofField(t *projection.Target, k int) Stamp {
	field, when := f.stamps.derive(&t.Fields[k], f.element), f.stamps.derive(&t.When, f.element)
	if t.Made {
		return field.or(when)
	}
	return field.with(when)
}

// value writes a column as one value, with all elements of a set or a map. A single cell is written together with the row if it
// has the same stamp: then most rows need one statement.
func (f *filler) value(column, slot int, v cell.Cell, at Stamp) {
	g := f.group(at)
	if c := &f.c.Table.Columns[column]; g.exists && c.Kind == projection.Regular && c.Cells == projection.Single {
		g.write.Add(column)
		return
	}
	f.set(g, column, slot, v)
}

// fields writes the fields of a UDT, each with its stamp.
func (f *filler) fields(column, slot int, v cell.Cell, at func(int) Stamp) {
	w := cell.Members(v)
	for k := range f.c.Table.Columns[column].Cell().Units() {
		if field := w.Next(); field != nil {
			f.set(f.group(at(k)), column, slot+k, field)
		}
	}
}

// elements adds the elements of a set or the entries of a map, each with its stamp. The collection is not assigned, because an
// assignment writes a tombstone for all earlier elements.
func (f *filler) elements(column, slot int, v cell.Cell, from int) {
	per := 1
	if f.c.Table.Columns[column].Cells == projection.Map {
		per = 2
	}
	parts := map[Stamp]*collection{}
	var order []Stamp
	for e := newEntries(v, per); e.more; e.next() {
		at := f.stamp(f.c.Table.Columns[column].Kind, f.stamps.element(f.a, from, e.key))
		if parts[at] == nil {
			parts[at], order = &collection{}, append(order, at)
		}
		parts[at].append(e.values()...)
	}
	for _, at := range order {
		f.set(f.group(at), column, slot, parts[at].cell())
	}
}

func (f *filler) set(g *group, column, slot int, v cell.Cell) {
	kind, values := f.c.Table.Columns[column].Kind, &g.regular
	if kind == projection.Static {
		values = &g.static
	}
	if *values == nil {
		*values = make([]cell.Cell, f.c.Table.slots(kind))
	}
	(*values)[slot] = v
}

// group returns the group of a stamp, or adds it.
func (f *filler) group(s Stamp) *group {
	for i := range f.groups {
		if f.groups[i].Stamp == s {
			return &f.groups[i]
		}
	}
	f.groups = append(f.groups, group{Stamp: s})
	return &f.groups[len(f.groups)-1]
}

// flush converts the groups of a row to writes.
func (f *filler) flush(row cell.Row) {
	t := f.c.Table
	for _, g := range f.groups {
		w := BackfillWrite{At: g.At}
		if g.exists {
			w.Mutations = append(w.Mutations, Mutation{Table: t, Row: row, Write: g.write, Action: Put, TTL: g.RemainingTTL})
		}
		if g.regular != nil {
			w.Mutations = append(w.Mutations, Mutation{Table: t, Row: row, Values: g.regular, Action: Fill, TTL: g.RemainingTTL})
		}
		if g.static != nil {
			w.Mutations = append(w.Mutations, Mutation{Table: t, Row: row, Values: g.static, Action: FillStatic, TTL: g.RemainingTTL})
		}
		f.out = append(f.out, w)
	}
}
