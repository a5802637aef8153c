package plan

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// PlanRestamp returns the mutations that write a row of the root and all rows of its copies again at one later timestamp: every value, null
// for each absent one, and each with its remaining TTL at the time now, at which the row was read, in microseconds since 1970. It omits rows
// of copies that have expired. Rows of shared copies have their whole TTL, because other roots have them, too.
//
// If a value cannot be written, the error is a *[FaultError]. The elements of a list are one write, so a list whose elements have different
// remaining TTLs is an error.
func PlanRestamp(a *Aggregate, row cell.Row, s *Stamps, now int64) ([]Mutation, error) {
	if !s.uneven.Empty() {
		name := a.Root.Columns[s.uneven.First()].Name
		return nil, fmt.Errorf("the elements of the list %s expire at different times, and a list is written with one TTL: save the row with Update", name)
	}
	p := planner{a: a, new: row, over: true, whole: true}
	if err := p.root(); err != nil {
		return nil, err
	}
	p.out = p.out[:0]
	root := a.identity()
	if err := p.restamp(&root, s.withTime(longAgo), now); err != nil {
		return nil, err
	}
	for i := range p.out {
		p.out[i].Table = a.Root
	}
	for i := range a.Copies {
		c, stamps := &a.Copies[i], s
		if a.TTL(c.Table) == 0 {
			stamps = s.withTime(longAgo)
		}
		restamp := func() error { return p.restamp(c, stamps, now) }
		if c.Shared {
			restamp = func() error { return p.copy(c) }
		}
		if err := restamp(); err != nil {
			return nil, err
		}
	}
	return p.out, p.faulty()
}

// identity returns a projection of the root onto its own table, without the TTL of the table: each value of the root has a TTL that was
// read.
func (a *Aggregate) identity() Projection {
	t := *a.Aggregate.Root
	t.TTL, t.Lifetimes = 0, nil
	d := &descriptor.Projection{Table: &t, Columns: make([]uint16, len(t.Columns))}
	for i := range d.Columns {
		d.Columns[i] = uint16(i)
	}
	return newProjection(d, a.Root)
}

// withTime returns the stamps with one write time, so that values with the same TTL have the same stamp.
func (s *Stamps) withTime(at int64) *Stamps {
	set := func(x Stamp) Stamp {
		if x.There {
			x.At = at
		}
		return x
	}
	out := &Stamps{units: slices.Clone(s.units), elements: make([]map[string]Stamp, len(s.elements)), row: set(s.row)}
	for i := range out.units {
		out.units[i] = set(out.units[i])
	}
	for i, column := range s.elements {
		if column == nil {
			continue
		}
		out.elements[i] = make(map[string]Stamp, len(column))
		for k, x := range column {
			out.elements[i][k] = set(x)
		}
	}
	return out
}

// restamp plans the rows of one copy, or the row of the root.
func (p *planner) restamp(c *Projection, s *Stamps, now int64) error {
	given, err := c.project(p.new)
	if err != nil {
		return err
	}
	f := filler{a: p.a, c: c, stamps: s, now: now}
	found := newFinder(&given, c.Table.Key)
	elements := f.loop(&given, &found)
	for i := range given.n {
		if p.checkRow(c, &given, i, &found) && f.collect(given.row(i), elements[i]) {
			p.out = append(p.out, f.restamped(given.row(i))...)
		}
	}
	return nil
}

// restamped returns the writes of the groups of a row. Usually all values have the same TTL, and the row is one Put. Otherwise the first
// Put removes the values of the row, one microsecond before the others write its values: at the same timestamp the marker of a Put with an
// earlier expiry would win over the marker of the row.
func (f *filler) restamped(row cell.Row) (out []Mutation) {
	t := f.c.Table
	row = row[:len(t.Columns)]
	static := f.staticLists(row)
	put := Mutation{Table: t, Row: row, Write: t.regular(), Action: Put, TTL: f.exists.RemainingTTL}
	if !slices.ContainsFunc(f.groups, func(g group) bool { return g.regular != nil && g.RemainingTTL != f.exists.RemainingTTL }) {
		out = append(out, put)
		for i := range f.groups {
			f.groups[i].regular = nil
		}
	} else {
		out = f.splitByTTL(put)
	}
	out = append(out, static...)
	for _, g := range f.groups {
		if g.regular != nil {
			out = append(out, Mutation{Table: t, Row: row, Values: g.regular, Action: Fill, TTL: g.RemainingTTL})
		}
		if g.static != nil {
			out = append(out, Mutation{Table: t, Row: row, Values: g.static, Action: FillStatic, TTL: g.RemainingTTL})
		}
	}
	return out
}

// splitByTTL returns the writes of a row whose values have different TTLs: the removal of its values, its lists, and the values that expire with
// the row. The groups contain the others.
func (f *filler) splitByTTL(put Mutation) []Mutation {
	t := put.Table
	clear := put
	clear.Row, clear.Back = make(cell.Row, len(put.Row)), 1
	copy(clear.Row, put.Row[:t.Key])
	out := []Mutation{clear}
	for i := t.Key; i < len(t.Columns); i++ {
		if t.Columns[i].Kind == projection.Regular && t.Columns[i].Cells == projection.List && put.Row[i] != nil {
			out[0].Write.Drop(i)
			out = append(out, f.list(put.Row, i))
		}
	}
	put.Write = projection.Bits{}
	for _, g := range f.groups {
		if g.exists {
			put.Write = g.write
		}
	}
	return append(out, put)
}

// staticLists returns the writes of the static lists of a row. A Fill of a list cannot be repeated.
func (f *filler) staticLists(row cell.Row) (out []Mutation) {
	t := f.c.Table
	for i := t.Key; i < len(t.Columns); i++ {
		if t.Columns[i].Kind == projection.Static && t.Columns[i].Cells == projection.List && row[i] != nil {
			out = append(out, f.list(row, i))
		}
	}
	return out
}

// list returns the write of a list, and removes the list from the groups.
func (f *filler) list(row cell.Row, i int) Mutation {
	t, slot := f.c.Table, 0
	for k := t.Key; k < i; k++ {
		if t.Columns[k].Kind == t.Columns[i].Kind {
			slot += t.Columns[k].Cell().Units()
		}
	}
	m := Mutation{Table: t, Row: row, Action: Put, Back: 1}
	m.Write.Add(i)
	for k := range f.groups {
		g := &f.groups[k]
		values := &g.regular
		if t.Columns[i].Kind == projection.Static {
			values = &g.static
		}
		if *values == nil || (*values)[slot] == nil {
			continue
		}
		m.TTL, (*values)[slot] = g.RemainingTTL, nil
		if !slices.ContainsFunc(*values, func(c cell.Cell) bool { return c != nil }) {
			*values = nil
		}
	}
	return m
}

// regular returns the columns that are neither in the key nor static.
func (t *Table) regular() (out projection.Bits) {
	for i := t.Key; i < len(t.Columns); i++ {
		if t.Columns[i].Kind == projection.Regular {
			out.Add(i)
		}
	}
	return out
}
