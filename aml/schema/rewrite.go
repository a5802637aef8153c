package schema

import (
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
)

// Rewrites returns the sets of columns that the INSERT of an existing row of a copy writes if some columns of the source change,
// one set for each possible change. The fields of a UDT that is not frozen change one by one or all together; of two columns,
// the second can change only together with the first. A set is empty if only the row's marker is written.
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

// change is a change of a row of the source.
type change struct {
	columns []int // written as a whole
	udt     int   // the column of which a single field changes; -1: none
	field   int
	element bool // the loop's element changes, if elements are cells
	whole   bool // a UDT can become null or not null
}

// rewritten returns the columns that the INSERT of an existing row writes.
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
