package schema

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// Projection is the program that makes the rows of a redundant table from one row of its source. It works on registers:
// the first are the columns of the source as Ordered numbers them, the others are filled by the steps. A column of the
// redundant table is a register, so one that only has another key needs no steps.
type Projection struct {
	Source  *Table
	Table   *Table
	Ops     []Op
	Columns []int // the register of each column of Table, as Ordered numbers them
}

// ProjectionTo returns the projection that fills a table; nil for the table of a root.
func (s *Schema) ProjectionTo(t *Table) *Projection {
	for _, source := range s.Tables {
		for _, p := range source.Projections {
			if p.Table == t {
				return p
			}
		}
	}
	return nil
}

// Op is one step of a program.
type Op struct {
	Code     Code
	Src, Dst int
	N        int   // Split: how many members
	Args     []int // Make, MakeIf: the registers of the members
}

// Code names a step.
type Code int

// The steps.
const (
	Split    Code = iota // Dst … Dst+N-1 = the members of the UDT in Src
	Make                 // Dst = a UDT of Args
	MakeIf               // the same, or null where Src is null
	Each                 // for every element of the list or set in Src: Dst = the element, with N = 2 Dst+1 = its place, and on with the rest
	Entry                // for every entry of the map in Src: Dst = its key, Dst+1 = its value, and on with the rest
	Need                 // go on only where Src is not null
	NeedTrue             // go on only where Src is true
)

// fills is how many registers the step fills.
func (o *Op) fills() int {
	switch o.Code {
	case Split:
		return o.N
	case Entry:
		return 2
	case Each:
		return max(o.N, 1)
	case Need, NeedTrue:
		return 0
	}
	return 1
}

// project compiles the program of a redundant table.
func project(source, table *Table) *Projection {
	r := table.Aggregate.Redundancy
	c := &compiler{p: &Projection{Source: source, Table: table}, next: len(source.Columns) + len(source.Computed), loop: map[int]bool{}}
	if r.Path != nil {
		c.enter(r.Path, readsPosition(table.Aggregate))
	}
	if r.When != nil {
		c.need(r.When)
	}
	for _, col := range table.Ordered() {
		c.p.Columns = append(c.p.Columns, c.value(col.Attribute.Origin))
	}
	c.p.Ops = slices.Concat(c.once, c.each)
	return c.p
}

// compute notes the methods that a redundant aggregate reads.
func (t *Table) compute(a *model.Aggregate) {
	paths := []*model.Path{a.Redundancy.Path, a.Redundancy.When}
	for _, at := range a.Attributes {
		paths = append(paths, at.Origin.Path)
	}
	for _, p := range paths {
		if p.Method() != nil && !slices.ContainsFunc(t.Computed, func(x *model.Attribute) bool { return sameResult(x, p.Steps[0]) }) {
			t.Computed = append(t.Computed, p.Steps[0])
		}
	}
}

// register returns the number of an attribute of the source: of its column, or of a method's result.
func (t *Table) register(a *model.Attribute) int {
	if a.Method() != nil {
		return len(t.Columns) + slices.IndexFunc(t.Computed, func(x *model.Attribute) bool { return sameResult(x, a) })
	}
	if t.Part != nil {
		if i := slices.Index(t.Part.Identifier, a); i >= 0 { // a part's identifier is stored as its root's
			return i
		}
	}
	return slices.IndexFunc(t.Ordered(), func(c *Column) bool { return c.Attribute == a })
}

// sameResult reports whether two attributes are one result of a method: the same method, stored as the same type.
func sameResult(a, b *model.Attribute) bool {
	return a.Method() == b.Method() && a.Type.String() == b.Type.String()
}

// readsPosition reports whether any value is the place of an element in its list.
func readsPosition(a *model.Aggregate) bool {
	return slices.ContainsFunc(a.Attributes, func(at *model.Attribute) bool {
		return at.Origin.Object == nil && at.Origin.Path.Part == model.Position
	})
}

// need stops the program where the path is false or null.
func (c *compiler) need(p *model.Path) {
	code := Need
	if p.Bool() {
		code = NeedTrue
	}
	c.op(Op{Code: code, Src: c.path(p)})
}

// compiler gives out registers; what a path led to once is not computed again, and what does not depend on the entry of
// a collection is computed before the loop over it.
type compiler struct {
	p     *Projection
	next  int
	split []splitValue
	entry int          // the register of the element or of the entry's key
	loop  map[int]bool // registers that depend on the entry
	once  []Op
	each  []Op
}

type splitValue struct{ of, first int }

func (c *compiler) registers(n int) int {
	c.next += n
	return c.next - n
}

// op places a step.
func (c *compiler) op(o Op) {
	inLoop := o.Code == Each || o.Code == Entry
	for _, r := range append([]int{o.Src}, o.Args...) {
		inLoop = inLoop || c.loop[r]
	}
	if !inLoop {
		c.once = append(c.once, o)
		return
	}
	c.each = append(c.each, o)
	for i := range o.fills() {
		c.loop[o.Dst+i] = true
	}
}

// enter opens the loop over the collection at the end of a path.
func (c *compiler) enter(p *model.Path, position bool) {
	src := c.walk(p.Steps)
	if p.Steps[p.Loop].Type.Kind == model.MapType {
		c.entry = c.registers(2)
		c.op(Op{Code: Entry, Src: src, Dst: c.entry})
		return
	}
	if position {
		c.entry = c.registers(2)
		c.op(Op{Code: Each, Src: src, Dst: c.entry, N: 2})
		return
	}
	c.entry = c.registers(1)
	c.op(Op{Code: Each, Src: src, Dst: c.entry})
}

// walk descends from the source through single compositions.
func (c *compiler) walk(steps []*model.Attribute) int {
	at := c.p.Source.register(steps[0])
	return c.descend(at, steps[0].Type, steps[1:])
}

// descend goes from a UDT in a register to a field of a field of it.
func (c *compiler) descend(at int, t *model.Type, steps []*model.Attribute) int {
	for _, s := range steps {
		at = c.members(at, len(t.Object.Attributes)) + slices.Index(t.Object.Attributes, s)
		t = s.Type
	}
	return at
}

// members returns the first register of the members of a UDT.
func (c *compiler) members(of, n int) int {
	for _, s := range c.split {
		if s.of == of {
			return s.first
		}
	}
	first := c.registers(n)
	c.split = append(c.split, splitValue{of, first})
	c.op(Op{Code: Split, Src: of, Dst: first, N: n})
	return first
}

// value returns the register of an origin.
func (c *compiler) value(o *model.Origin) int {
	if o.Object == nil {
		return c.path(o.Path)
	}
	var args []int
	for _, f := range o.Fields {
		args = append(args, c.value(f))
	}
	dst := c.registers(1)
	if len(o.Path.Steps) == 0 {
		c.op(Op{Code: Make, Src: args[0], Dst: dst, Args: args})
	} else {
		c.op(Op{Code: MakeIf, Src: c.path(o.Path), Dst: dst, Args: args})
	}
	return dst
}

// path returns the register of the value at the end of a path.
func (c *compiler) path(p *model.Path) int {
	if p.Loop < 0 {
		return c.walk(p.Steps)
	}
	t := p.Steps[p.Loop].Type
	if p.Part == model.EntryKey {
		return c.descend(c.entry, t.Key, p.Steps[p.Loop+1:])
	}
	at := c.entry
	if t.Kind == model.MapType || p.Part == model.Position {
		at++
	}
	return c.descend(at, t.Elem, p.Steps[p.Loop+1:])
}
