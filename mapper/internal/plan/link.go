package plan

import (
	"math/bits"
	"slices"

	"github.com/cassaml/cassaml/aml/statement"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Aggregate is a root table with the copies that are projected from it. [Link] makes it.
type Aggregate struct {
	Root   *Table
	Copies []Projection

	units []uint16 // the first unit of each column of Root
	ones  []string // of Root, as those of a Projection
}

// DeletedByKey reports whether the rows of all copies that go with a row of the root follow from its key.
func (a *Aggregate) DeletedByKey() bool {
	return !slices.ContainsFunc(a.Copies, func(c Projection) bool { return !c.Shared && !c.Range })
}

// source is what a cell of a copy derives from.
type source struct {
	units   Bits // of the root
	element bool // the loop's element, when it is a cell of its own
}

func (s *source) add(o *source) {
	s.units.addAll(&o.units)
	s.element = s.element || o.element
}

// rewritten reports whether the cell has to be written: because of the units that change, or because the
// loop's element is not what it was.
func (s *source) rewritten(changed *Bits, element bool) bool {
	return s.element && element || s.units.meets(changed)
}

// form is how a column of a copy is rewritten in a row that stays.
type form uint8

const (
	whole     form = iota // as one value
	byField               // a UDT: each field by what it derives from
	byElement             // a set or map of the root itself: the elements and entries that change there
)

// target is a column of a copy.
type target struct {
	source
	form   form
	fields []source // byField: of each field
	when   source   // byField: what it derives from that there is a value at all
	made   bool     // byField: the program makes it, so that whatever changes whether there is a value changes its fields
	column int      // byElement: of the root
}

// derived is what follows from a program.
type derived struct {
	registers   int
	loop        int          // the Op that is Each or Entry; -1: none
	elements    bool         // the loop's elements are cells of their own
	permutation bool         // no Ops, and nothing thawed or made canonical
	targets     []target     // of each column
	exists      source       // of the row: its key, the loop and what it needs
	any         source       // of all of the copy
	of          []Bits       // the columns beyond the key that derive from each unit
	ofElement   Bits         // those that derive from the loop's element
	parts       Bits         // those that are not written whole
	owners      []*cell.Form // of each column of the root's key in Owner
	canonical   []uint16     // those of the key whose register holds a value that is not canonical yet
	thawed      []uint16     // those of several cells whose register may hold a value of none, which is null there
	ones        []string     // of each column the INSERT of the key and it alone; "" where a change of it has none
}

// Link derives what the programs imply: which cell of a copy derives from which units of the root. Generated
// code calls it once, for a package-level variable. A root has at most 256 units (one per column, for a UDT
// that is not frozen one per field) and a table at most 256 columns.
func Link(a Aggregate) *Aggregate {
	a.units = make([]uint16, len(a.Root.Columns)+1)
	for i := range a.Root.Columns {
		a.units[i+1] = a.units[i] + uint16(a.Root.Columns[i].unitCount())
	}
	a.ones = a.Root.ones()
	copies := make([]Projection, len(a.Copies))
	for i, p := range a.Copies {
		l := linker{a: &a, p: &p}
		l.link()
		copies[i] = p
	}
	a.Copies = copies
	return &a
}

// ones renders, for each column that is written alone when it alone changes, the INSERT of the key and it.
func (t *Table) ones() []string {
	names := make([]string, t.Key, t.Key+1)
	for i := range names {
		names[i] = t.Columns[i].CQL
	}
	out := make([]string, len(t.Columns))
	for i := t.Key; i < len(t.Columns); i++ {
		if statement.One(1, len(t.Columns)-t.Key, t.Columns[i].Cells == Single) {
			out[i] = statement.Insert(t.cql(), append(names, t.Columns[i].CQL)...)
		}
	}
	return out
}

func (c *Column) unitCount() int {
	if c.Cells == UDT {
		return max(c.Fields, 1)
	}
	return 1
}

// linker follows one program.
type linker struct {
	a       *Aggregate
	p       *Projection
	sources []source         // of each register
	members map[int][]source // of registers that hold a UDT whose fields derive from different units
	when    map[int]source   // of registers that are null where another is
}

func (l *linker) link() {
	l.p.loop, l.p.permutation = -1, len(l.p.Ops) == 0
	l.roots()
	for i := range l.p.Ops {
		l.step(i, &l.p.Ops[i])
	}
	l.p.registers = len(l.sources)
	for i := range l.p.Owner {
		l.p.owners = append(l.p.owners, l.a.Root.Columns[i].Form)
	}
	l.p.targets = make([]target, len(l.p.Columns))
	for c, r := range l.p.Columns {
		l.p.targets[c] = l.target(c, int(r))
		l.p.any.add(&l.p.targets[c].source)
		if c < l.p.Table.Key {
			l.p.exists.add(&l.p.targets[c].source)
		}
		if c < l.p.Table.Key && int(r) >= l.a.Root.Key && l.p.Table.Columns[c].Form.Variants() {
			l.p.canonical = append(l.p.canonical, uint16(c))
			l.p.permutation = false
		}
		if l.needsNormalizing(c, int(r)) {
			l.p.thawed = append(l.p.thawed, uint16(c))
			l.p.permutation = false
		}
	}
	l.index()
	l.p.ones = l.p.Table.ones()
}

// index turns the targets around: from units to columns.
func (l *linker) index() {
	l.p.of = make([]Bits, l.a.units[len(l.a.Root.Columns)])
	for c := l.p.Table.Key; c < len(l.p.targets); c++ {
		t := &l.p.targets[c]
		for u := range l.p.of {
			if t.units.Has(u) {
				l.p.of[u].Add(c)
			}
		}
		if t.element {
			l.p.ofElement.Add(c)
		}
		if t.form != whole {
			l.p.parts.Add(c)
		}
	}
}

// rewritten returns the columns beyond the key that are rewritten when units change, and when the loop's element
// is not what it was.
func (p *Projection) rewritten(changed *Bits, element bool) (columns Bits) {
	for i, word := range changed { // spelled out: this runs for every row
		for ; word != 0; word &= word - 1 {
			columns.addAll(&p.of[64*i+bits.TrailingZeros64(word)])
		}
	}
	if element {
		columns.addAll(&p.ofElement)
	}
	return columns
}

// roots sets the sources of the registers of the root's row.
func (l *linker) roots() {
	l.members, l.when = map[int][]source{}, map[int]source{}
	var every source
	for u := range l.a.units[len(l.a.Root.Columns)] {
		every.units.Add(int(u))
	}
	for i := range l.a.Root.Columns {
		fields := make([]source, l.a.Root.Columns[i].unitCount())
		var all source
		for k := range fields {
			fields[k].units.Add(int(l.a.units[i]) + k)
			all.add(&fields[k])
		}
		l.sources = append(l.sources, all)
		if l.a.Root.Columns[i].Cells == UDT {
			l.members[i] = fields
		}
	}
	for range l.a.Root.Computed { // a method may read every column
		l.sources = append(l.sources, every)
	}
}

func (l *linker) step(i int, op *Op) {
	src := l.register(int(op.Src))
	switch op.Code {
	case Split:
		fields := l.members[int(op.Src)]
		for k := range int(op.N) {
			*l.register(int(op.Dst) + k) = *l.register(int(op.Src))
			if k < len(fields) {
				*l.register(int(op.Dst) + k) = fields[k]
			}
		}
	case Make, MakeIf:
		l.make(op)
	case Need, NeedTrue:
		l.p.any.add(src)
		l.p.exists.add(src)
	case Each, Entry:
		l.loop(i, op)
	}
}

func (l *linker) loop(i int, op *Op) {
	element := *l.register(int(op.Src))
	l.p.loop = i
	l.p.any.add(&element)
	if l.ownCells(op) {
		l.p.elements, element = true, source{element: true}
	}
	l.p.exists.add(&element)
	for k := range max(op.Code.values(), int(op.N)) {
		*l.register(int(op.Dst) + k) = element
	}
}

func (l *linker) make(op *Op) {
	var all source
	fields := make([]source, len(op.Args))
	for k, r := range op.Args {
		fields[k] = *l.register(int(r))
		all.add(&fields[k])
	}
	if op.Code == MakeIf {
		l.when[int(op.Dst)] = *l.register(int(op.Src))
		all.add(l.register(int(op.Src)))
	}
	*l.register(int(op.Dst)) = all
	l.members[int(op.Dst)] = fields
}

// ownCells reports whether the elements of a loop are cells of their own: over a set or map of the root that
// is not frozen.
func (l *linker) ownCells(op *Op) bool {
	if int(op.Src) >= len(l.a.Root.Columns) {
		return false
	}
	cells := l.a.Root.Columns[op.Src].Cells
	return cells == Set || cells == Map
}

// needsNormalizing reports whether a column of several cells is filled from a register of one, in which an empty collection or a UDT
// of nulls is a value. Columns of the root have the form that [Table.Normal] returns.
func (l *linker) needsNormalizing(column, r int) bool {
	cells := l.p.Table.Columns[column].Cells
	if t := &l.p.targets[column]; t.form == byField {
		return t.made
	}
	return cells != Single && (r >= len(l.a.Root.Columns) || l.a.Root.Columns[r].Cells != cells)
}

// made reports whether a register holds a UDT that the program makes of what it also depends on for being there at all.
func (l *linker) made(r int) bool {
	when, conditional := l.when[r]
	for _, f := range l.members[r] {
		if conditional && !f.within(&when) {
			return false
		}
	}
	return r >= len(l.a.Root.Columns)
}

// within reports whether all that a value derives from is also what another derives from.
func (s *source) within(o *source) bool {
	for i := range s.units {
		if s.units[i]&^o.units[i] != 0 {
			return false
		}
	}
	return !s.element || o.element
}

func (l *linker) register(r int) *source {
	for len(l.sources) <= r {
		l.sources = append(l.sources, source{})
	}
	return &l.sources[r]
}

func (l *linker) target(column, r int) target {
	t := target{source: *l.register(r), column: r}
	cells := l.p.Table.Columns[column].Cells
	switch {
	case cells == UDT && l.members[r] != nil:
		t.form, t.fields, t.when, t.made = byField, l.members[r], l.when[r], l.made(r)
	case (cells == Set || cells == Map) && r < len(l.a.Root.Columns) && l.a.Root.Columns[r].Cells == cells:
		t.form = byElement
	}
	return t
}
