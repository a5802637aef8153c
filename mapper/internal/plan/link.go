package plan

import (
	"math/bits"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/aml/statement"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Aggregate is an aggregate with the properties that follow from the programs of its copies. [Link] returns it.
type Aggregate struct {
	*descriptor.Aggregate

	Root       *Table
	Copies     []Projection
	Parts      []*Table
	Inside     *Table      // nil without a part in the root's table
	Versioning *Versioning // nil for a plain root

	units []int    // the first unit of each column of Root
	ones  []string // the INSERTs of single columns of Root, as in a Projection

	keyMethods bool // a copy needs results of methods for a deletion by key

	lifetimes Lifetimes // given when the store was opened

	clears []string // the DELETE of a partition, one for each of Parts

	extends [][2]string // one for each list of several cells: the UPDATE that adds elements at its end, and at its beginning
}

// DeletedByKey reports whether the rows of all copies that are deleted with a row of the root follow from its key.
func (a *Aggregate) DeletedByKey() bool {
	return !slices.ContainsFunc(a.Copies, func(c Projection) bool { return !c.DeletedByKey() })
}

// KeyRow returns the row with a key, from which [Plan] plans a deletion if DeletedByKey is true. It reports whether the results of the
// methods that read only the key must be added first.
func (a *Aggregate) KeyRow(key cell.Row) (row cell.Row, methods bool) {
	row = make(cell.Row, len(a.Root.Columns)+len(a.Root.Computed))
	copy(row, key)
	return row, a.keyMethods
}

// needsKeyMethods reports whether the key of a row that follows from the key of its root derives from a method.
func (p *Projection) needsKeyMethods() bool {
	return p.ByKey && slices.ContainsFunc(p.Targets[:p.Table.Key], func(t projection.Target) bool { return len(t.Methods) > 0 })
}

// derived has the properties that follow from a program. The generator computes the same, in the order in which the runtime uses them.
type derived struct {
	projection.Derivation
	elsewhere   bool              // a row can be in another partition than its root
	permutation bool              // no Ops, and nothing normalized or canonicalized
	of          []projection.Bits // the columns beyond the key that derive from each unit
	ofElement   projection.Bits   // those that derive from the loop's element
	parts       projection.Bits   // those that are not written whole
	ownStatics  projection.Bits   // the static columns that derive from one root: no other root has rows in the partition
	owners      []*cell.Form      // one for each column of the root's key in SourceKey
	head        int               // the Head column of the source, which SourceKey does not have
	canonical   []uint16          // columns of the key whose register has a value that is not canonical yet
	normalized  []uint16          // columns of several cells whose register can have an empty value, which is null there
	units       []int             // the first unit of each column of the table
	ones        []string          // one for each column: the INSERT of the key and this column; "" if there is none
}

// Link computes which cells of a copy derive from which units of the root. Generated code calls it once, for a package-level
// variable. A root has at most 256 units (one per column, for a UDT that is not frozen one per field) and a table at most 256
// columns.
func Link(d descriptor.Aggregate) *Aggregate {
	a := &Aggregate{Aggregate: &d, Root: (*Table)(d.Root), Inside: (*Table)(d.Inside)}
	a.units = projection.UnitOffsets(a.Root.cells())
	a.ones, a.extends = a.Root.columnInserts(), a.Root.extends()
	for _, part := range d.Parts {
		t := (*Table)(part)
		a.Parts, a.clears = append(a.Parts, t), append(a.clears, t.deleteRange(" USING TIMESTAMP ?", t.Partition))
	}
	for i := range d.Copies {
		a.Copies = append(a.Copies, newProjection(&d.Copies[i], a.Root))
		a.keyMethods = a.keyMethods || a.Copies[i].needsKeyMethods()
	}
	if d.Versioning != nil {
		a.Versioning = a.linkVersioning(d.Versioning)
	}
	return a
}

// linkVersioning links the derived tables of a versioned root.
func (a *Aggregate) linkVersioning(d *descriptor.Versioning) *Versioning {
	v := &Versioning{Versioning: d, Done: (*Table)(d.Done), Outboxes: (*Table)(d.Outboxes)}
	if d.Part != nil {
		v.Part = &PartWrites{PartWrites: d.Part, Table: (*Table)(d.Part.Table)}
		if d.Part.Of != nil {
			v.Part.Of = Link(*d.Part.Of)
		}
	}
	for i := range d.Uniques {
		u := &d.Uniques[i]
		of := u.Of
		of.Table = u.Table
		v.Uniques = append(v.Uniques, Unique{Unique: u, Table: (*Table)(u.Table), Of: newProjection(&of, a.Root)})
	}
	for i := range d.References {
		r := &d.References[i]
		of := r.Of
		of.Table = r.Table
		v.References = append(v.References, CheckedReference{CheckedReference: r, Table: (*Table)(r.Table), Of: newProjection(&of, a.Root)})
	}
	return v
}

// cells returns the columns in the form that a derivation accepts.
func (t *Table) cells() []projection.Cell {
	out := make([]projection.Cell, len(t.Columns))
	for i := range t.Columns {
		out[i] = t.Columns[i].Cell()
	}
	return out
}

// extends returns, for each list of several cells, the UPDATE that adds elements at its end, and at its beginning.
func (t *Table) extends() [][2]string {
	out := make([][2]string, len(t.Columns))
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Cells == projection.List {
			key := t.Key
			if c.Kind == projection.Static {
				key = t.Partition
			}
			var names []string
			for k := range key {
				names = append(names, t.Columns[k].CQL)
			}
			out[i] = [2]string{statement.Extend(t.CQL(), c.CQL, false, names...), statement.Extend(t.CQL(), c.CQL, true, names...)}
		}
	}
	return out
}

// columnInserts returns, for each column that is written alone if only it changes, the INSERT of the key and the column.
func (t *Table) columnInserts() []string {
	names := make([]string, t.Key, t.Key+1)
	for i := range names {
		names[i] = t.Columns[i].CQL
	}
	out := make([]string, len(t.Columns))
	for i := t.Key; i < len(t.Columns); i++ {
		if statement.One(1, len(t.Columns)-t.Key, t.Columns[i].Cells == projection.Single) {
			out[i] = statement.Insert(t.CQL(), append(names, t.Columns[i].CQL)...)
		}
	}
	return out
}

// reads returns the reads of the methods of a root.
func (t *Table) reads() []projection.Reads {
	out := make([]projection.Reads, len(t.Computed))
	copy(out, t.Reads)
	return out
}

// newProjection returns a projection with the properties of its program.
func newProjection(d *descriptor.Projection, root *Table) Projection {
	p := Projection{Projection: d, Table: (*Table)(d.Table)}
	p.link(root)
	return p
}

// link computes the properties of the program of a copy.
func (p *Projection) link(root *Table) {
	p.Derivation = *projection.Derive(projection.Program{
		Source: root.cells(), Methods: root.reads(), Ops: p.Ops, Copy: p.Table.cells(), Key: p.Table.Key, Columns: p.Columns,
	})
	p.elsewhere = p.Projection.OutsidePartition((*descriptor.Table)(root))
	for i := range p.SourceKey {
		p.owners = append(p.owners, root.Columns[i+root.beforeHead(i)].Form)
	}
	p.head = root.Head
	for c, r := range p.Columns {
		if c < p.Table.Key && int(r) >= root.Key && p.Table.Columns[c].Form.Variants() {
			p.canonical = append(p.canonical, uint16(c))
		}
		if p.needsNormalizing(c, root) {
			p.normalized = append(p.normalized, uint16(c))
		}
	}
	p.permutation = len(p.Ops) == 0 && p.canonical == nil && p.normalized == nil
	p.index(root)
	p.ones = p.Table.columnInserts()
	p.units = projection.UnitOffsets(p.Table.cells())
}

// index inverts the targets: from units to columns.
func (p *Projection) index(root *Table) {
	var shared projection.Bits // the units of static columns of the root
	for i := range root.Columns {
		for u := p.Units[i]; root.Columns[i].Kind == projection.Static && u < p.Units[i+1]; u++ {
			shared.Add(u)
		}
	}
	p.of = make([]projection.Bits, p.Units[len(p.Units)-1])
	for c := p.Table.Key; c < len(p.Targets); c++ {
		t := &p.Targets[c]
		for u := range t.Units.All() {
			p.of[u].Add(c)
		}
		if t.Element {
			p.ofElement.Add(c)
		}
		if p.Table.Columns[c].Kind == projection.Static && !t.Units.Intersects(&shared) {
			p.ownStatics.Add(c)
		}
		if t.Form != projection.Whole {
			p.parts.Add(c)
		}
	}
}

// needsNormalizing reports whether a column of several cells is set from a register of one cell, in which an empty collection
// or a UDT of nulls is a value. Columns of the root have the form that [Table.Normal] returns.
func (p *Projection) needsNormalizing(column int, root *Table) bool {
	cells, r := p.Table.Columns[column].Cells, int(p.Columns[column])
	if t := &p.Targets[column]; t.Form == projection.ByField {
		return t.Made
	}
	return cells != projection.Single && (r >= len(root.Columns) || root.Columns[r].Cells != cells)
}

// rewritten returns the columns outside the key that are rewritten if units change, and if the loop's element differs.
func (p *Projection) rewritten(changed *projection.Bits, element bool) (columns projection.Bits) {
	for i, word := range changed { // spelled out: this runs for every row
		for ; word != 0; word &= word - 1 {
			columns.AddAll(&p.of[64*i+bits.TrailingZeros64(word)])
		}
	}
	if element {
		columns.AddAll(&p.ofElement)
	}
	return columns
}
