package schema

import (
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
)

// Rewrites returns the sets of columns that the INSERT of a copy's row which stays writes when some columns of the source
// change, each set for another change. The fields of a UDT that is not frozen change one by one or all together; of two
// columns the second changes only with the first, and need not. A set is empty where nothing but the row's marker is written.
func (p *Projection) Rewrites(columns ...*Column) (sets [][]*Column) {
	d := p.derivation()
	add := func(c change) {
		for _, c.element = range []bool{false, true} {
			set := d.rewritten(c)
			if !slices.ContainsFunc(sets, func(o []*Column) bool { return slices.Equal(o, set) }) {
				sets = append(sets, set)
			}
		}
	}
	first := p.sourceIndex(columns[0])
	all := change{columns: []int{first}, udt: -1, whole: true}
	if t := columns[0].Type; t.UDT && t.MultiCell() {
		for k := range columns[0].Attribute.Type.Object.Attributes {
			add(change{udt: first, field: k})
		}
	} else {
		add(all)
	}
	for _, c := range columns[1:] {
		all.columns = append(all.columns, p.sourceIndex(c))
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
func (d derivation) rewritten(c change) []*Column {
	var units projection.Bits
	element := false
	for _, i := range c.columns {
		for u := d.Units[i]; u < d.Units[i+1]; u++ {
			units.Add(u)
		}
		element = element || c.element && d.element(i)
	}
	if c.udt >= 0 {
		units.Add(d.Units[c.udt] + c.field)
	}
	out := []*Column{}
	for i := len(d.p.Table.Key()); i < len(d.Targets); i++ {
		part := d.writes(i)
		if d.Targets[i].Rewritten(&units, element) && (part == AsValue || part == AsEither && c.whole) {
			out = append(out, d.p.Table.Ordered()[i])
		}
	}
	return out
}
