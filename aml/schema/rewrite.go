package schema

import "slices"

// Rewrites returns the sets of columns that the INSERT of a copy's row which stays writes when some columns of the source
// change, each set for another change. The fields of a UDT that is not frozen change one by one or all together; of two
// columns the second changes only with the first, and need not. A set is empty where nothing but the row's marker is written.
func (p *Projection) Rewrites(columns ...*Column) (sets [][]*Column) {
	add := func(c change) {
		for _, c.element = range []bool{false, true} {
			set := p.rewritten(c)
			if !slices.ContainsFunc(sets, func(o []*Column) bool { return slices.Equal(o, set) }) {
				sets = append(sets, set)
			}
		}
	}
	first := slices.Index(p.Source.Ordered(), columns[0])
	all := change{columns: []int{first}, udt: -1, whole: true}
	if t := columns[0].Type; t.UDT && t.MultiCell() {
		for k := range columns[0].Attribute.Type.Object.Attributes {
			add(change{udt: first, field: k})
		}
	} else {
		add(all)
	}
	for _, c := range columns[1:] {
		all.columns = append(all.columns, slices.Index(p.Source.Ordered(), c))
	}
	add(all)
	return sets
}

// change is what changes in a row of the source.
type change struct {
	columns []int // as a whole
	udt     int   // the column of which a field changes alone; -1: none
	field   int
	element bool // the loop's element, where elements are cells
	whole   bool // a UDT can appear or go
}

// rewritten returns the columns that the INSERT of a row that stays writes.
func (p *Projection) rewritten(c change) []*Column {
	changed := p.changed(c)
	out := []*Column{}
	for i, r := range p.Columns {
		column := p.Table.Ordered()[i]
		if i < len(p.Table.Key()) || !changed[r] {
			continue
		}
		if part := p.Writes(column); part == AsValue || part == AsEither && c.whole {
			out = append(out, column)
		}
	}
	return out
}

// changed returns the registers that change.
func (p *Projection) changed(c change) map[int]bool {
	out := map[int]bool{}
	for _, i := range c.columns {
		out[i] = true
	}
	if c.udt >= 0 {
		out[c.udt] = true
	}
	for i := range p.Source.Computed { // a method may read every column
		out[len(p.Source.Columns)+i] = true
	}
	for _, o := range p.Ops {
		p.step(o, c, out)
	}
	return out
}

// step adds the registers that change by a step.
func (p *Projection) step(o Op, c change, changed map[int]bool) {
	from, to := 0, o.fills()
	change := (o.Code != Make) && changed[o.Src] || slices.ContainsFunc(o.Args, func(r int) bool { return changed[r] })
	switch {
	case o.Code == Split && o.Src == c.udt:
		from, to = c.field, c.field+1
	case (o.Code == Each || o.Code == Entry) && p.ownCells():
		change = change && c.element
	}
	for i := from; i < to && change; i++ {
		changed[o.Dst+i] = true
	}
}
