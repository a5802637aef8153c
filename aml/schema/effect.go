package schema

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
)

// Effect describes how a change of some columns of a row affects the rows of a projection.
type Effect struct {
	Touched bool
	Exists  bool      // rows can be added and removed: the change affects their key, their collection or their condition
	Moves   bool      // the key of every row changes, so all rows are replaced
	Changed bool      // only the rows of changed elements are written
	Whole   bool      // existing rows are written as a whole, because they expire
	Cells   []*Column // columns outside the key that are written in existing rows
}

// derivation is the derivation of a projection's program, with the columns of its source and of its copy.
type derivation struct {
	*projection.Derivation
	p *Projection
}

func (p *Projection) derivation() derivation { return derivation{p.derive(), p} }

// derives reports whether a value derives from a column of the source, given by its number.
func (d derivation) derives(from *projection.Origin, column int) bool {
	return d.originates(from, d.whole(column))
}

// element reports whether the loop is over a given column of the source whose elements are separate cells.
func (d derivation) element(column int) bool {
	return d.OwnCells && int(d.p.Ops[d.Loop].Src) == column
}

// reads reports whether a value derives from at least one of some columns of the source.
func (d derivation) reads(from *projection.Origin, columns []*Column) bool {
	return slices.ContainsFunc(columns, func(c *Column) bool { return d.derives(from, d.p.sourceIndex(c)) })
}

func (p *Projection) sourceIndex(c *Column) int { return slices.Index(p.Source.Ordered(), c) }

func (p *Projection) tableIndex(c *Column) int { return slices.Index(p.Table.Ordered(), c) }

// Effect returns the effect of a change of columns of the source on the copy.
func (p *Projection) Effect(columns ...*Column) Effect {
	d, key := p.derivation(), len(p.Table.Key())
	e := Effect{Exists: d.reads(&d.Exists, columns)}
	for _, c := range columns {
		e.Moves = e.Moves || slices.Contains(p.Columns[:key], uint16(p.sourceIndex(c)))
	}
	for k, t := range d.Targets {
		if k >= key && d.reads(&t.Origin, columns) {
			e.Cells = append(e.Cells, p.Table.Ordered()[k])
		}
	}
	e.Touched = e.Exists || len(e.Cells) > 0 || p.Source.Expires()
	e.Whole = e.Touched && (p.Source.Expires() || p.Table.Expires())
	e.Changed = e.Touched && !p.Source.Expires() && d.OwnCells && !d.everyRow(columns)
	return e
}

// Deriving returns the columns of the copy, including the columns of its key, whose values are derived from a column of the source.
func (p *Projection) Deriving(column *Column) (out []*Column) {
	d, source := p.derivation(), p.sourceIndex(column)
	for k, t := range d.Targets {
		if d.derives(&t.Origin, source) || int(p.Columns[k]) == source {
			out = append(out, p.Table.Ordered()[k])
		}
	}
	return out
}

// everyRow reports whether a change affects the rows of elements that do not change.
func (d derivation) everyRow(columns []*Column) bool {
	fixed := func(o projection.Origin) bool {
		o.Element = false
		return d.reads(&o, columns)
	}
	return slices.ContainsFunc(d.Targets, func(t projection.Target) bool { return fixed(t.Origin) }) || fixed(d.Exists)
}

// Part is the way in which a column of a copy is written in an existing row.
type Part int

// The ways to write a column.
const (
	AsValue  Part = iota // the table's INSERT writes it
	AsParts              // the column's own UPDATE writes it
	AsEither             // the UPDATE writes it, and the INSERT if the whole value becomes null or not null
)

// Writes returns how a column of the copy is written if some columns of the source change. A column that copies a set or a map
// of the source gets the same elements added and removed; of a UDT, the fields that derive from the change are written.
func (p *Projection) Writes(column *Column) Part { return p.derivation().writes(p.tableIndex(column)) }

func (d derivation) writes(column int) Part {
	switch t := d.Targets[column]; {
	case t.Form == projection.Whole:
		return AsValue
	case t.Form == projection.ByField && t.Column < len(d.p.Source.Columns):
		return AsEither
	}
	return AsParts
}

// Decides reports whether a column of the source decides whether a column of the copy is null: a UDT that a step builds only if
// another value is not null.
func (p *Projection) Decides(column, of *Column) bool {
	d := p.derivation()
	return d.derives(&d.Targets[p.tableIndex(column)].When, p.sourceIndex(of))
}

// Loop returns the step that creates a row for each element of a collection; nil if the copy has one row.
func (p *Projection) Loop() *Op {
	for i := range p.Ops {
		if p.Ops[i].Code.Loops() {
			return &p.Ops[i]
		}
	}
	return nil
}

// Place describes the partitions of the rows of a copy.
type Place int

// The places.
const (
	WithSource Place = iota // the source's own partition: the key columns, in order, are the source's
	OneOther                // all rows of one source in one other partition
	PerElement              // each row in another partition
)

// Place returns the partitions of the rows of a source. The server applies rows in the source's partition together with the
// source's row, as one mutation.
func (p *Projection) Place() Place {
	n := len(p.Table.PartitionKey)
	if n == len(p.Source.PartitionKey) && inOrder(p.Columns[:n]) {
		return WithSource
	}
	if slices.ContainsFunc(p.derive().Targets[:n], func(t projection.Target) bool { return t.Varies }) {
		return PerElement
	}
	return OneOther
}

// MovesPartition reports whether a change of some columns of the source can move rows to another partition.
func (p *Projection) MovesPartition(columns ...*Column) bool {
	d := p.derivation()
	return slices.ContainsFunc(d.Targets[:len(p.Table.PartitionKey)], func(t projection.Target) bool { return d.reads(&t.Origin, columns) })
}

// inOrder reports whether registers are 0 … n-1.
func inOrder(registers []uint16) bool {
	for i, r := range registers {
		if int(r) != i {
			return false
		}
	}
	return true
}

// KeyPlace is the place where a row of a copy contains one column of its source's key. Columns are numbered as by Ordered.
type KeyPlace = projection.Place

// SourceKey returns where each row of the copy contains the key of its source: a place for every key column of the source, in the
// order of its Key. It returns nil if a row does not contain the whole key.
func (p *Projection) SourceKey() []KeyPlace {
	var out []KeyPlace
	for _, k := range p.Table.Aggregate.SourceKey() {
		column := slices.IndexFunc(p.Table.Ordered(), func(c *Column) bool { return c.Attribute == k.Attribute })
		out = append(out, KeyPlace{Column: column, Field: k.Field})
	}
	return out
}

// KeyUnique returns the index, in the [Versioning] of the source, of the unique values in the key of the copy, because of which no other
// source has a row with the same key, and their columns in the copy. The columns are nil if the key contains the whole key
// of the source instead.
func (p *Projection) KeyUnique() (number int, columns []int) {
	if p.Source.Versioning == nil || p.KeyHasSourceKey() {
		return 0, nil
	}
	key := len(p.Table.Key())
	for i, u := range p.Source.Versioning.Uniques {
		columns := p.columnsWith(u.Model.Paths)
		if columns != nil && !slices.ContainsFunc(columns, func(c int) bool { return c >= key }) && p.Table.Aggregate.Claims(u.Model.Paths) {
			return i, columns
		}
	}
	return 0, nil
}

// columnsWith returns the columns of the copy that have the values of paths, or nil if one is missing.
func (p *Projection) columnsWith(paths []*model.Path) (columns []int) {
	for _, path := range paths {
		at := slices.IndexFunc(p.Table.Ordered(), func(c *Column) bool { return c.Attribute.Origin.Is(path) })
		if at < 0 {
			return nil
		}
		columns = append(columns, at)
	}
	return columns
}

// KeyHasSourceKey reports whether the key of the copy contains the whole key of its source, so that no other source can have
// a row with the same key.
func (p *Projection) KeyHasSourceKey() bool {
	places := p.SourceKey()
	return places != nil && !slices.ContainsFunc(places, func(k KeyPlace) bool { return k.Column >= len(p.Table.Key()) })
}

// FollowsFromKey reports whether a row of the copy can be deleted without a read of its source, although its key does not start with the
// whole key of the source.
func (p *Projection) FollowsFromKey() bool {
	return p.Table.Aggregate.FollowsFromKey() && !p.StartsWithSourceKey()
}

// Ranges reports whether the rows of the copy that follow from a range of its source are one range of the copy. The range of the source is
// given by the first columns of its key, and bounds of the next ones.
func (p *Projection) Ranges(given, compared int) bool {
	return projection.Ranges(p.Columns, len(p.Table.PartitionKey), len(p.Table.Key()), given, compared)
}

// KeyMethods reports of each method of Computed whether the key of a copy for which FollowsFromKey is true derives from it. Without such a
// method the result is nil.
func (t *Table) KeyMethods() []bool {
	out := make([]bool, len(t.Computed))
	for _, p := range t.Projections {
		for _, k := range p.Table.Aggregate.Key() {
			for _, m := range k.Origin.Methods() {
				out[t.register(m)-len(t.Columns)] = out[t.register(m)-len(t.Columns)] || p.FollowsFromKey()
			}
		}
	}
	if !slices.Contains(out, true) {
		return nil
	}
	return out
}

// StartsWithSourceKey reports whether the key of the copy starts with the whole key of its source, so that the rows of one source
// are one partition or one range of clustering keys in it.
func (p *Projection) StartsWithSourceKey() bool { return p.Table.Aggregate.StartsWithSourceKey() }

// Claimed reports whether two sources can claim the same row of the copy: the copy is distinct, and its key does not contain the
// key of its source.
func (p *Projection) Claimed() bool {
	return p.Table.Aggregate.Redundancy.Distinct && !p.KeyHasSourceKey()
}

// Owner returns where a row that two sources can claim contains the key of its owner; nil if it does not contain it, or if two
// sources cannot claim it.
func (p *Projection) Owner() []KeyPlace {
	if !p.Claimed() {
		return nil
	}
	return p.SourceKey()
}

// part is a column of the source, or one field of its UDT: a range of its units.
type part struct{ column, first, end int }

// whole returns the part that is a whole column of the source.
func (d derivation) whole(column int) part { return part{column, d.Units[column], d.Units[column+1]} }

// originates reports whether a value derives from a part of the source.
func (d derivation) originates(o *projection.Origin, of part) bool {
	for u := of.first; u < of.end; u++ {
		if o.Units.Has(u) {
			return true
		}
	}
	return o.Element && d.element(of.column)
}
