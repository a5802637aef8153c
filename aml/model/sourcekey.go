package model

import "slices"

// KeyPlace is where the rows of a redundant aggregate contain one value of their source's key.
type KeyPlace struct {
	Attribute *Attribute // of the redundant aggregate
	Field     int        // of the attribute's composition, by number; -1: the attribute itself is the value
}

// SourceKey returns where each row of a redundant aggregate contains the key of its source: a place for every key attribute of the
// source, in the order of its Key. It returns nil where a row does not contain the whole key, so that it does not show which
// source it belongs to. Of several places of one value, one in the key of the redundant aggregate is returned first, then a
// plain column, then a field of a composition.
func (a *Aggregate) SourceKey() []KeyPlace {
	var out []KeyPlace
	for _, need := range a.Redundancy.sourceKey() {
		place, ok := a.place(need)
		if !ok {
			return nil
		}
		out = append(out, place)
	}
	return out
}

// place returns the place of a value of the source in a row of a redundant aggregate.
func (a *Aggregate) place(of *Path) (KeyPlace, bool) {
	columns := a.Key()
	for _, at := range a.Attributes {
		if !at.Key {
			columns = append(columns, at)
		}
	}
	for _, at := range columns {
		if at.Origin.Object == nil && at.Origin.Path.equal(of) {
			return KeyPlace{at, -1}, true
		}
	}
	for _, at := range columns {
		if i := slices.IndexFunc(at.Origin.Fields, func(f *Origin) bool { return f.Object == nil && f.Path.equal(of) }); i >= 0 {
			return KeyPlace{at, i}, true
		}
	}
	return KeyPlace{}, false
}

// StartsWithSourceKey reports whether the key of a redundant aggregate starts with the whole key of its source, in any order, and
// its partition key has nothing else: then the rows of one source are all rows of one partition, or one range of clustering
// keys in it, and can be deleted without knowing them.
func (a *Aggregate) StartsWithSourceKey() bool {
	need := a.Redundancy.sourceKey()
	if len(a.Identifier) > len(need) || len(a.Key()) < len(need) {
		return false
	}
	var first []*Path
	for _, k := range a.Key()[:len(need)] {
		if k.Origin.Object == nil {
			first = append(first, k.Origin.Path)
		}
	}
	return within(need, first)
}
