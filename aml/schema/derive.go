package schema

import "slices"

// source is what a value derives from: columns of the source, or results of methods.
type source map[int]bool

func (s source) add(o source) {
	for i := range o {
		s[i] = true
	}
}

// sources is what the parts of a value derive from that are written each by itself: the fields of a UDT that is not
// frozen, else the value as a whole.
type sources []source

func (s sources) any() source {
	out := source{}
	for _, x := range s {
		out.add(x)
	}
	return out
}

// followed is what a program's rows derive from.
type followed struct {
	columns []sources      // of each column
	exists  source         // whether there is a row, and its key
	element map[int]bool   // the registers that differ from element to element
	when    map[int]source // of the registers that are null where another is: what that one derives from
	loop    bool
	needs   bool
	fixed   bool // what the loop goes over does not count
}

// trace follows a program from its registers to its columns. With fixed, the elements of a collection whose elements are cells of their own count as given,
// so that what is left is what every row derives from, not only the row of an element that changes.
func trace(p *Projection, fixed bool) followed {
	f := followed{exists: source{}, element: map[int]bool{}, when: map[int]source{}, fixed: fixed && p.ownCells()}
	registers := map[int]sources{}
	columns := p.Source.Ordered()
	for i := range columns {
		registers[i] = sources{{i: true}}
	}
	for i := range p.Source.Computed { // a method may read every column
		all := source{}
		for k := range len(columns) + len(p.Source.Computed) {
			all[k] = k < len(columns) || k == len(columns)+i
		}
		registers[len(columns)+i] = sources{all}
	}
	for _, o := range p.Ops {
		f.step(o, registers)
	}
	for i, r := range p.Columns {
		c := p.Table.Ordered()[i]
		if s := registers[r]; c.Type.UDT && c.Type.MultiCell() {
			f.columns = append(f.columns, s)
		} else {
			f.columns = append(f.columns, sources{s.any()})
		}
		if i < len(p.Table.Key()) {
			f.exists.add(f.columns[i].any())
		}
	}
	return f
}

func (f *followed) step(o Op, registers map[int]sources) {
	of := registers[o.Src].any()
	if f.perElement(o) {
		for i := range o.fills() {
			f.element[o.Dst+i] = true
		}
	}
	switch o.Code {
	case Make, MakeIf:
		var parts sources
		for _, a := range o.Args {
			part := registers[a].any()
			if o.Code == MakeIf {
				f.when[o.Dst] = of
				part.add(of)
			}
			parts = append(parts, part)
		}
		registers[o.Dst] = parts
		return
	case Need, NeedTrue:
		f.needs = true
		f.exists.add(of)
		return
	case Each, Entry:
		f.loop = true
		if f.fixed {
			of = source{}
		}
		f.exists.add(of)
	}
	for i := range o.fills() {
		registers[o.Dst+i] = sources{of}
	}
}

// perElement reports whether what a step fills differs from element to element of the loop.
func (f *followed) perElement(o Op) bool {
	return o.Code == Each || o.Code == Entry || f.element[o.Src] && o.Code != Make ||
		slices.ContainsFunc(o.Args, func(r int) bool { return f.element[r] })
}
