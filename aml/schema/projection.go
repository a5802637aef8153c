package schema

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
)

// ProjectionTo returns the projection that fills a table; nil for the table of a root.
func (s *Schema) ProjectionTo(t *Table) *Projection {
	for _, source := range s.Stored {
		for _, p := range source.Projections {
			if p.Table == t {
				return p
			}
		}
	}
	return nil
}

// Reads are the fields that a method reads.
type Reads = projection.Reads

// derive returns the derivation of the program.
func (p *Projection) derive() *projection.Derivation {
	return projection.Derive(projection.Program{
		Source: p.Source.cells(), Methods: p.Source.Reads(), Ops: p.Ops, Copy: p.Table.cells(), Key: len(p.Table.Key()), Columns: p.Columns,
	})
}

// cells returns the cells of the columns.
func (t *Table) cells() (out []projection.Cell) {
	for _, c := range t.Ordered() {
		out = append(out, projection.Cell{Cells: c.Type.Cells(), Fields: c.Fields()})
	}
	return out
}

// Fields returns the number of fields of a column that is a UDT of several cells; 0 for any other column.
func (c *Column) Fields() int {
	if c.Type.Cells() != projection.UDT || c.Attribute == nil {
		return 0
	}
	return len(c.Attribute.Type.Object.Attributes)
}

// project compiles the program of a redundant table.
func project(source, table *Table) *Projection {
	r := table.Aggregate.Redundancy
	c := &compiler{p: &Projection{Source: source, Table: table}, next: len(source.Columns) + len(source.Computed), loop: map[int]bool{}}
	if r.Path != nil {
		c.enter(r.Path, readsPosition(table.Aggregate))
	}
	if r.When != nil {
		c.need(r)
	}
	for _, col := range table.Ordered() {
		c.p.Columns = append(c.p.Columns, uint16(c.value(col.Attribute.Origin)))
	}
	c.p.Ops = slices.Concat(c.once, c.each)
	return c.p
}

// projectUnique compiles the program that computes the unique values of a row.
func projectUnique(source, table *Table, u *model.Unique) *Projection {
	return projectPaths(source, table, u.Paths)
}

// projectPaths compiles the program that computes the values of paths, which lead into the same collection.
func projectPaths(source, table *Table, paths []*model.Path) *Projection {
	c := &compiler{p: &Projection{Source: source, Table: table}, next: len(source.Columns) + len(source.Computed), loop: map[int]bool{}}
	if p := paths[0]; p.Loop >= 0 {
		c.enter(&model.Path{Source: p.Source, Steps: p.Steps[:p.Loop+1], Loop: p.Loop}, false)
	}
	for _, p := range paths {
		c.p.Columns = append(c.p.Columns, uint16(c.path(p)))
	}
	c.p.Ops = slices.Concat(c.once, c.each)
	return c.p
}

// compute adds the methods that a redundant aggregate reads.
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

// Reads returns the columns that each method of Computed reads.
func (t *Table) Reads() (out []projection.Reads) {
	for _, m := range t.Computed {
		read, why := t.Aggregate.Reads(m.Method())
		r := projection.Reads{Only: why == "" && t.Part == nil} // the methods of a part have another struct
		for _, a := range read {
			r.Columns = append(r.Columns, uint16(t.register(a)))
		}
		out = append(out, r)
	}
	return out
}

// register returns the number of an attribute of the source: of its column, or of a method's result.
func (t *Table) register(a *model.Attribute) int {
	if a.Method() != nil {
		return len(t.Columns) + slices.IndexFunc(t.Computed, func(x *model.Attribute) bool { return sameResult(x, a) })
	}
	return slices.IndexFunc(t.Ordered(), func(c *Column) bool { return c.Attribute == a })
}

// sameResult reports whether two attributes are the same result of a method: the same method, stored as the same type.
func sameResult(a, b *model.Attribute) bool {
	return a.Method() == b.Method() && a.Type.String() == b.Type.String()
}

// readsPosition reports whether a value is the index of an element in its list.
func readsPosition(a *model.Aggregate) bool {
	if w := a.Redundancy.When; w != nil && w.Part == model.Position {
		return true
	}
	return slices.ContainsFunc(a.Attributes, func(at *model.Attribute) bool {
		return at.Origin.Object == nil && at.Origin.Path.Part == model.Position
	})
}

// need ends the program if the condition of the rows does not hold.
func (c *compiler) need(r *model.Redundancy) {
	o := Op{Code: projection.Need, Src: uint16(c.path(r.When))}
	switch {
	case r.OneOf != nil:
		o.Code, o.Values = projection.NeedOneOf, constants(r.When, r.OneOf)
	case r.When.Bool():
		o.Code = projection.NeedTrue
	}
	c.add(o)
}

// compiler numbers registers. The value of a path is computed only once, and values that do not depend on the entry of a
// collection are computed before the loop over it.
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

// op adds a step.
func (c *compiler) op(code projection.Code, src, dst, n int, args []int) {
	o := Op{Code: code, Src: uint16(src), Dst: uint16(dst), N: uint16(n)}
	for _, r := range args {
		o.Args = append(o.Args, uint16(r))
	}
	c.add(o)
}

// add adds a step before the loop, or in the loop if it depends on the entry.
func (c *compiler) add(o Op) {
	if !o.Code.Loops() && !c.loop[int(o.Src)] && !slices.ContainsFunc(o.Args, func(r uint16) bool { return c.loop[int(r)] }) {
		c.once = append(c.once, o)
		return
	}
	c.each = append(c.each, o)
	for i := range o.Fills() {
		c.loop[int(o.Dst)+i] = true
	}
}

// enter opens the loop over the collection at the end of a path.
func (c *compiler) enter(p *model.Path, position bool) {
	src := c.walk(p.Steps)
	if p.Steps[p.Loop].Type.Kind == model.MapType {
		c.entry = c.registers(2)
		c.op(projection.Entry, src, c.entry, 0, nil)
		return
	}
	if position {
		c.entry = c.registers(2)
		c.op(projection.Each, src, c.entry, 2, nil)
		return
	}
	c.entry = c.registers(1)
	c.op(projection.Each, src, c.entry, 0, nil)
}

// walk follows single compositions from the source.
func (c *compiler) walk(steps []*model.Attribute) int {
	at := c.p.Source.register(steps[0])
	return c.descend(at, steps[0].Type, steps[1:])
}

// descend follows fields from a UDT in a register.
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
	c.op(projection.Split, of, first, n, nil)
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
		c.op(projection.Make, 0, dst, 0, args)
	} else {
		c.op(projection.MakeIf, c.path(o.Path), dst, 0, args)
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
