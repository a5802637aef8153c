package model

import (
	"fmt"
	"slices"
)

// Diverges returns why concurrent writers of one aggregate can leave its redundant aggregate a wrong; "" if they cannot, or if
// a is not redundant.
func (a *Aggregate) Diverges() string {
	if r := a.Redundancy; r == nil || r.Source.Versioned() || r.Shared {
		return ""
	}
	return diverges(a)
}

// diverges returns why the cells of a copy do not converge; "" if they do.
func diverges(a *Aggregate) string {
	r := a.Redundancy
	if c := r.Path.collection(); c != nil {
		switch {
		case r.Path.Method() != nil:
			return "its rows are computed by a method"
		case c.Type.Kind == List:
			return "its rows follow from a list, which is written as a whole"
		case c.Frozen() || r.Path.Loop > 0:
			return "its rows follow from a frozen collection, which is written as a whole"
		}
	}
	for _, k := range a.Key() {
		if why := moves(r, k); why != "" {
			return why
		}
	}
	if r.Path != nil && !r.distinguishesElements(a.Key()) {
		return "two elements can have the same row, and one of them can be removed"
	}
	when := r.When
	if when != nil && when.followsFromKey() {
		when = nil // it is the same for every row with the key
	}
	if r.Path != nil && when != nil && when.Loop < 0 {
		return fmt.Sprintf("whether an element has a row depends on a field of %s outside the element", r.Source.Struct.Name)
	}
	if when != nil && r.absentInSeveralWays() {
		return fmt.Sprintf("a write can change %s from one value without a row to another, and does not delete a row that another writer adds concurrently", r.When)
	}
	if why := rewrites(a); why != "" {
		return why
	}
	columns := 0
	for _, at := range a.Attributes {
		if at.Key {
			continue
		}
		columns++
		if why := mixes(r, at); why != "" {
			return why
		}
	}
	switch {
	case when.Method() != nil:
		return "a method, which can read several fields, decides whether a row exists"
	case when != nil && when.several():
		return "a value of several cells decides whether a row exists"
	case when != nil && columns > 0:
		return "its rows depend on when= and have columns outside their key"
	case (r.Path != nil || when != nil) && !a.StartsWithSourceKey() && !a.FollowsFromKey():
		return fmt.Sprintf("a Delete does not remove a row that a concurrent write adds: the key does not start with the whole key of %s", r.Source.Struct.Name)
	}
	return ""
}

// distinguishesElements reports whether a key distinguishes the elements of the collection.
func (r *Redundancy) distinguishesElements(key []*Attribute) bool {
	var paths []*Path
	for _, k := range key {
		if k.Origin.Object == nil {
			paths = append(paths, k.Origin.Path)
		}
	}
	return slices.ContainsFunc(r.elementIdentity(), func(e []*Path) bool { return containsPaths(e, paths) })
}

// rewrites returns why a write of one cell also writes others: a row that expires is written as a whole, with one TTL.
func rewrites(a *Aggregate) string {
	r := a.Redundancy
	source := r.Source
	if source.InRootTable {
		source = source.Root
	}
	if source.Properties.Expires() {
		if r.Path != nil || r.When != nil {
			return fmt.Sprintf("rows of %s expire, so every write of one writes all its columns", r.Source.Struct.Name)
		}
		return ""
	}
	columns := len(a.Attributes) > len(a.Key())
	if a.Properties.Expires() && (columns || r.Path != nil || r.When != nil) {
		return "its rows expire, so a row is written completely or not at all"
	}
	return ""
}

// moves returns why a key column can change.
func moves(r *Redundancy, k *Attribute) string {
	for _, p := range k.Origin.paths() {
		switch {
		case p.Method() != nil && !p.followsFromKey():
			return fmt.Sprintf("its key column %s is computed by a method", k.Name)
		case p.Loop >= 0 && p.Part == Element && p.Steps[p.Loop].Type.Kind == MapType && !slices.Contains(p.Steps[p.Loop].Type.Qualifier, p.Steps[len(p.Steps)-1]):
			return fmt.Sprintf("its key column %s can change with the value of an entry", k.Name)
		case p.Loop < 0 && !p.Steps[0].Key && p.Method() == nil && !(len(p.Steps) == 1 && p.Steps[0].Fixed):
			return fmt.Sprintf("its key column %s can change", k.Name)
		}
	}
	return ""
}

// mixes returns why a cell is not derived from exactly one cell of the source.
func mixes(r *Redundancy, at *Attribute) string {
	for _, p := range at.Origin.paths() {
		switch {
		case p.Method() != nil && !p.followsFromKey():
			return fmt.Sprintf("its column %s is computed by a method", at.Name)
		case p.Loop < 0 && !p.Steps[0].Key && p.Method() == nil && r.Path != nil:
			return fmt.Sprintf("its column %s contains a field of %s outside the element", at.Name, r.Source.Struct.Name)
		}
	}
	single := []*Origin{at.Origin} // the origins of single cells of the copy
	switch {
	case at.Frozen() || !at.Type.MultiCell():
	case at.Origin.Object != nil:
		single = at.Origin.Fields
	default: // the same number of cells as the source
		single = nil
	}
	for _, o := range single {
		if o.sourceCells() > 1 {
			return fmt.Sprintf("its column %s is one cell that is derived from several", at.Name)
		}
	}
	return ""
}

// sourceCells counts the cells of the source that a value derives from: 2 means more than 1.
func (o *Origin) sourceCells() int {
	if o.Object != nil {
		if o.Path.several() { // it has no value if none of its cells has one
			return 2
		}
		n := 0
		for _, f := range o.Fields {
			n += f.sourceCells()
		}
		return n
	}
	switch p := o.Path; {
	case p.Loop < 0 && p.Steps[0].Key:
		return 0
	case p.several():
		return 2
	}
	return 1
}

// several reports whether the path leads to a column of several cells.
func (p *Path) several() bool { return p.Loop < 0 && len(p.Steps) == 1 && p.Steps[0].severalCells() }

// absentInSeveralWays reports whether the cell of a condition has more than one value that means no row: both null and false, or
// a user-defined type or map entry whose other fields change. A write from one of these values to another does not delete a
// row.
// Of a value that is compared with constants, every other value means no row.
func (r *Redundancy) absentInSeveralWays() bool {
	p := r.When
	last := p.Steps[len(p.Steps)-1]
	if p.Loop >= 0 {
		of := p.Steps[p.Loop].Type
		return of.Kind == MapType && p.Part == Element && !slices.Contains(of.Qualifier, last)
	}
	if r.OneOf != nil && !p.Bool() {
		return !p.Steps[0].Key
	}
	cell := 0 // the step whose value is one cell
	if !p.Steps[0].Frozen() && len(p.Steps) > 1 && !p.Steps[0].appears() {
		cell = 1
	}
	return p.Method() == nil && (len(p.Steps)-1 > cell || last.Type.CQL == "boolean" && (p.CanBeNil() || last.Type.Conversion != ByKind))
}

// appears reports whether a user-defined type can be null, because it is a pointer or because all its fields can be null. A write of
// the first value after null writes all its fields.
func (a *Attribute) appears() bool {
	present := func(f *Attribute) bool { return !f.Type.canBeNil() }
	return a.Type.Nullable && !a.Mandatory || !slices.ContainsFunc(a.Type.Object.Attributes, present)
}

// severalCells reports whether the attribute is a column of several cells of which one can be written alone.
func (a *Attribute) severalCells() bool {
	return a.Type.MultiCell() && a.Type.Kind != List && !a.Frozen()
}
