package schema

import "slices"

// Effect is what a change of some columns of a row does to the rows that a projection makes of it.
type Effect struct {
	Touched bool
	Exists  bool      // rows can appear and go: what changes is in their key, is what they are made from, or says whether there are any
	Moves   bool      // the key of every row changes with it, so none stays
	Changed bool      // only the rows of the elements that change are written, not those of all
	Whole   bool      // rows that stay are written whole, because they expire
	Cells   []*Column // beyond the key: written in the rows that stay
}

// Effect returns what changing columns of the source does to the copy.
func (p *Projection) Effect(columns ...*Column) Effect {
	all := trace(p, false)
	var e Effect
	for _, c := range columns {
		i := slices.Index(p.Source.Ordered(), c)
		e.Exists = e.Exists || all.exists[i]
		e.Moves = e.Moves || slices.Contains(p.Columns[:len(p.Table.Key())], i)
	}
	for k, s := range all.columns {
		if k >= len(p.Table.Key()) && p.reads(s, columns) {
			e.Cells = append(e.Cells, p.Table.Ordered()[k])
		}
	}
	e.Touched = e.Exists || len(e.Cells) > 0 || p.Source.TTL > 0
	e.Whole = e.Touched && (p.Source.TTL > 0 || p.Table.TTL > 0)
	e.Changed = e.Touched && p.Source.TTL == 0 && p.ownCells() && !p.everyRow(columns)
	return e
}

// everyRow reports whether a change reaches the rows of elements that stay as they are.
func (p *Projection) everyRow(columns []*Column) bool {
	f := trace(p, true)
	return slices.ContainsFunc(f.columns, func(s sources) bool { return p.reads(s, columns) }) || p.reads(sources{f.exists}, columns)
}

// reads reports whether a value derives from one of some columns of the source.
func (p *Projection) reads(s sources, columns []*Column) bool {
	from := s.any()
	return slices.ContainsFunc(columns, func(c *Column) bool { return from[slices.Index(p.Source.Ordered(), c)] })
}

// Part says how a column of a copy is written in a row that stays.
type Part int

// The ways to write a column.
const (
	AsValue  Part = iota // by the table's INSERT
	AsParts              // by the column's own UPDATE
	AsEither             // by the UPDATE, and by the INSERT where the value as a whole appears or goes
)

// Writes returns how a column of the copy is written when some columns of the source change. What follows a set or a map of
// the source has the same elements added and removed; what is a UDT has those of its fields written that derive from the
// change.
func (p *Projection) Writes(column *Column) Part {
	k := slices.Index(p.Table.Ordered(), column)
	r := p.Columns[k]
	own := r < len(p.Source.Columns)
	switch {
	case !column.Type.MultiCell() || isSequence(column.Type):
		return AsValue
	case !column.Type.UDT && own && p.Source.Ordered()[r].Type.MultiCell():
		return AsParts
	case !column.Type.UDT:
		return AsValue
	case own && p.Source.Ordered()[r].Type.MultiCell():
		return AsEither
	}
	return p.made(r)
}

// made returns how a UDT is written that a step puts together.
func (p *Projection) made(register int) Part {
	for _, o := range p.Ops {
		if o.Dst == register && (o.Code == Make || o.Code == MakeIf) {
			return AsParts
		}
	}
	return AsValue
}

// Decides reports whether a column of the source says that there is a value at all in a column of the copy: in a UDT that a
// step puts together only where something is not null.
func (p *Projection) Decides(column, of *Column) bool {
	from := trace(p, false).when[p.Columns[slices.Index(p.Table.Ordered(), column)]]
	return from[slices.Index(p.Source.Ordered(), of)]
}

func isSequence(t *Type) bool { return t.Name == "list" && !t.UDT }

// ownCells reports whether the rows come from a set or a map of the source whose elements are cells of their own, so that
// one can change and the others are not written.
func (p *Projection) ownCells() bool {
	o := p.Loop()
	return o != nil && o.Src < len(p.Source.Columns) && p.Source.Ordered()[o.Src].Type.MultiCell() && !isSequence(p.Source.Ordered()[o.Src].Type)
}

// Loop returns the step that makes a row of every element of a collection; nil where the copy has one row.
func (p *Projection) Loop() *Op {
	for i := range p.Ops {
		if p.Ops[i].Code == Each || p.Ops[i].Code == Entry {
			return &p.Ops[i]
		}
	}
	return nil
}

// Place says in which partitions the rows of a copy lie.
type Place int

// The places.
const (
	WithSource Place = iota // in the source's own partition: its key columns, in order, are the source's
	OneOther                // all rows of one source in one other partition
	PerElement              // each row in a partition of its own
)

// Place returns in which partitions the rows of a source are. The server applies what is in the source's partition
// together with the source's row, as one mutation.
func (p *Projection) Place() Place {
	key := p.Columns[:len(p.Table.PartitionKey)]
	if len(key) == len(p.Source.PartitionKey) && slices.Equal(key, sequence(len(key))) {
		return WithSource
	}
	f := trace(p, false)
	if slices.ContainsFunc(key, func(r int) bool { return f.element[r] }) {
		return PerElement
	}
	return OneOther
}

// MovesPartition reports whether a change of some columns of the source can take rows to another partition.
func (p *Projection) MovesPartition(columns ...*Column) bool {
	f := trace(p, false)
	return slices.ContainsFunc(f.columns[:len(p.Table.PartitionKey)], func(s sources) bool { return p.reads(s, columns) })
}

// sequence returns 0 … n-1.
func sequence(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// KeyPlace is where a row of a copy contains one column of its source's key.
type KeyPlace struct {
	Column int // of the copy, as Ordered numbers them
	Field  int // of the column's user-defined type, by number; -1: the column itself is the value
}

// SourceKey returns where each row of the copy contains the key of its source: a place for every key column of the source, in the
// order of its Key. It returns nil where a row does not contain the whole key.
func (p *Projection) SourceKey() []KeyPlace {
	var out []KeyPlace
	for _, k := range p.Table.Aggregate.SourceKey() {
		column := slices.IndexFunc(p.Table.Ordered(), func(c *Column) bool { return c.Attribute == k.Attribute })
		out = append(out, KeyPlace{column, k.Field})
	}
	return out
}

// KeyHasSourceKey reports whether the key of the copy contains the whole key of its source, so that no other source can have a
// row under the same key.
func (p *Projection) KeyHasSourceKey() bool {
	places := p.SourceKey()
	return places != nil && !slices.ContainsFunc(places, func(k KeyPlace) bool { return k.Column >= len(p.Table.Key()) })
}

// StartsWithSourceKey reports whether the key of the copy starts with the whole key of its source, so that the rows of one source
// are one partition or one range of clustering keys in it.
func (p *Projection) StartsWithSourceKey() bool { return p.Table.Aggregate.StartsWithSourceKey() }

// Claimed reports whether two sources can claim one row of the copy: it is distinct, and its key does not contain the key of its
// source.
func (p *Projection) Claimed() bool {
	return p.Table.Aggregate.Redundancy.Distinct && !p.KeyHasSourceKey()
}

// Owner returns where a row that two sources can claim contains the key of the one that owns it; nil where it does not, and where
// no two can.
func (p *Projection) Owner() []KeyPlace {
	if !p.Claimed() {
		return nil
	}
	return p.SourceKey()
}
