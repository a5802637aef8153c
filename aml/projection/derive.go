package projection

// Origin has the parts of the source from which a value derives.
type Origin struct {
	Units   Bits         // the units of the source
	Methods map[int]bool // the methods of the source, by number; see [Reads]
	Element bool         // the loop's element, if the elements are separate cells
	Varies  bool         // it differs from element to element of the loop
}

func (o *Origin) add(x *Origin) {
	o.Units.AddAll(&x.Units)
	o.Element = o.Element || x.Element
	o.Varies = o.Varies || x.Varies
	for m := range x.Methods {
		if o.Methods == nil {
			o.Methods = map[int]bool{}
		}
		o.Methods[m] = true
	}
}

// isSubset reports whether another value derives from all units that this value derives from.
func (o *Origin) isSubset(x *Origin) bool {
	return o.Units.IsSubset(&x.Units) && (!o.Element || x.Element)
}

// Rewritten reports whether the value must be written because the given units or the loop's element change.
func (o *Origin) Rewritten(changed *Bits, element bool) bool {
	return o.Element && element || o.Units.Intersects(changed)
}

// Form is the way in which a column of a copy is written in an existing row.
type Form uint8

// The forms.
const (
	Whole     Form = iota // the whole value
	ByField               // a UDT: the fields whose origins change
	ByElement             // a set or map of the source itself: the elements and entries that change there
)

// Target is a column of a copy.
type Target struct {
	Origin
	Form   Form
	Fields []Origin // ByField: of each field
	When   Origin   // ByField: the origin that determines whether the value is not null
	Made   bool     // ByField: the program builds it, and whatever changes whether it is null changes its fields
	Column int      // the register; ByElement: the column of the source
}

// Derivation describes the origins of the cells of a copy.
type Derivation struct {
	Units     []int    // the first unit of each column of the source, and at the end the number of units
	Registers int      // the number of registers of the program
	Loop      int      // the Op that is Each or Entry; -1: none
	OwnCells  bool     // the loop's elements are separate cells, in a set or map of the source that is not frozen
	Tests     bool     // a row exists only under a condition
	Targets   []Target // the columns of the copy
	Exists    Origin   // sources of the row: its key, the loop and the conditions
	Any       Origin   // sources of the whole copy
}

// UnitOffsets returns the first unit of each column of a table, and at the end the number of units.
func UnitOffsets(columns []Cell) []int {
	out := make([]int, len(columns)+1)
	for i, c := range columns {
		out[i+1] = out[i] + c.Units()
	}
	return out
}

// Derive returns which cells of the copy derive from which units of the source.
func Derive(p Program) *Derivation {
	d := &deriver{p: &p, Derivation: &Derivation{Units: UnitOffsets(p.Source), Loop: -1}, members: map[int][]Origin{}, when: map[int]Origin{}}
	d.source()
	for i := range p.Ops {
		d.step(i, &p.Ops[i])
	}
	d.Registers = len(d.registers)
	d.Targets = make([]Target, len(p.Columns))
	for c, r := range p.Columns {
		d.Targets[c] = d.target(c, int(r))
		d.Any.add(&d.Targets[c].Origin)
		if c < p.Key {
			d.Exists.add(&d.Targets[c].Origin)
		}
	}
	return d.Derivation
}

// deriver follows one program from its registers to its columns.
type deriver struct {
	*Derivation
	p         *Program
	registers []Origin
	members   map[int][]Origin // keys: registers with a UDT whose fields derive from different units
	when      map[int]Origin   // keys: registers that are null if another register is
}

// source sets the origins of the registers of the source's row.
func (d *deriver) source() {
	var every Origin
	for u := range d.Units[len(d.p.Source)] {
		every.Units.Add(u)
	}
	for i, c := range d.p.Source {
		fields := make([]Origin, c.Units())
		var all Origin
		for k := range fields {
			fields[k].Units.Add(d.Units[i] + k)
			all.add(&fields[k])
		}
		d.registers = append(d.registers, all)
		if c.Cells == UDT {
			d.members[i] = fields
		}
	}
	for m, reads := range d.p.Methods {
		o := Origin{Units: every.Units, Methods: map[int]bool{m: true}}
		if reads.Only {
			o.Units = d.units(reads.Columns)
		}
		d.registers = append(d.registers, o)
	}
}

// units returns the units of columns of the source.
func (d *deriver) units(columns []uint16) (out Bits) {
	for _, c := range columns {
		for u := d.Units[c]; u < d.Units[c+1]; u++ {
			out.Add(u)
		}
	}
	return out
}

func (d *deriver) step(i int, op *Op) {
	src := d.register(int(op.Src))
	switch op.Code {
	case Split:
		fields := d.members[int(op.Src)]
		for k := range int(op.N) {
			*d.register(int(op.Dst) + k) = *d.register(int(op.Src))
			if k < len(fields) {
				*d.register(int(op.Dst) + k) = fields[k]
			}
		}
	case Make, MakeIf:
		d.make(op)
	case Need, NeedTrue, NeedOneOf:
		d.Tests = true
		d.Any.add(src)
		d.Exists.add(src)
	case Each, Entry:
		d.loop(i, op)
	}
}

func (d *deriver) loop(i int, op *Op) {
	element := *d.register(int(op.Src))
	d.Loop = i
	d.Any.add(&element)
	if d.ownCells(op) {
		d.OwnCells, element = true, Origin{Element: true}
	}
	d.Exists.add(&element)
	element.Varies = true
	for k := range op.Fills() {
		*d.register(int(op.Dst) + k) = element
	}
}

func (d *deriver) make(op *Op) {
	var all Origin
	fields := make([]Origin, len(op.Args))
	for k, r := range op.Args {
		fields[k] = *d.register(int(r))
		all.add(&fields[k])
	}
	if op.Code == MakeIf {
		d.when[int(op.Dst)] = *d.register(int(op.Src))
		all.add(d.register(int(op.Src)))
	}
	*d.register(int(op.Dst)) = all
	d.members[int(op.Dst)] = fields
}

func (d *deriver) ownCells(op *Op) bool {
	if int(op.Src) >= len(d.p.Source) {
		return false
	}
	cells := d.p.Source[op.Src].Cells
	return cells == Set || cells == Map
}

func (d *deriver) register(r int) *Origin {
	for len(d.registers) <= r {
		d.registers = append(d.registers, Origin{})
	}
	return &d.registers[r]
}

func (d *deriver) target(column, r int) Target {
	t := Target{Origin: *d.register(r), Column: r}
	cells := d.p.Copy[column].Cells
	switch {
	case cells == UDT && d.members[r] != nil:
		t.Form, t.Fields, t.When, t.Made = ByField, d.members[r], d.when[r], d.made(r)
	case (cells == Set || cells == Map) && r < len(d.p.Source) && d.p.Source[r].Cells == cells:
		t.Form = ByElement
	}
	return t
}

// made reports whether a register contains a UDT that the program builds from the values that decide whether it is null.
func (d *deriver) made(r int) bool {
	when, conditional := d.when[r]
	for _, f := range d.members[r] {
		if conditional && !f.isSubset(&when) {
			return false
		}
	}
	return r >= len(d.p.Source)
}
