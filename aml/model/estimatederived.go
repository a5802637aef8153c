package model

import "slices"

// TableEstimate is the size of one partition of a table.
type TableEstimate struct {
	Table string
	Estimate
	Assumed bool // nothing says how many rows it has
}

// Estimates estimates a partition of every table of a model, also of those that the tool derives, each after the one that it
// is derived for. The columns of the tool's own in declared tables are not counted.
func Estimates(m *Model) []TableEstimate {
	var out []TableEstimate
	for _, a := range m.Aggregates {
		if a.InRootTable {
			continue
		}
		_, assumed := rowsOf(a)
		out = append(out, TableEstimate{a.Table, EstimateOf(a), assumed})
		out = append(out, derivedEstimates(a)...)
	}
	return out
}

// ownNumber is the size of a column of the tool's own: a version or a time, a bigint.
const ownNumber = 8

// derivedEstimates estimates the tables that are derived for an aggregate, in the order of Derived.
func derivedEstimates(a *Aggregate) []TableEstimate {
	var out []TableEstimate
	for _, u := range a.Uniques {
		var values []*Attribute
		for _, p := range u.Paths {
			values = append(values, p.Steps[len(p.Steps)-1])
		}
		cells := int64(len(a.Key()) + 2) // the owner's key, since when, up to when
		out = append(out, TableEstimate{Table: u.Table, Estimate: Estimate{Rows: 1, Cells: cells,
			Bytes: sizeOfAll(values) + sizeOfAll(a.Key()) + 2*ownNumber + 8*cells}})
	}
	if a.Pending() {
		out = append(out, TableEstimate{Table: a.Table + "__sync", Estimate: Estimate{Rows: 1, Cells: 1, Bytes: sizeOfAll(a.Key()) + ownNumber + 8}})
	}
	for _, c := range a.Copies {
		out = append(out, pairs(c.Table, a, c.Target, c.Attribute))
	}
	for _, x := range a.Associations {
		by := x.Attribute
		if x.Many || len(x.Path) > 1 {
			by = nil
		}
		if x.Table != "" {
			out = append(out, pairs(x.Table, a, x.Target, by))
		}
	}
	return out
}

// pairs estimates a table that has a row for each aggregate that holds the key of one target, in an attribute or, without
// one, among others.
func pairs(table string, holder, target *Aggregate, by *Attribute) TableEstimate {
	t := TableEstimate{Table: table}
	t.Rows, t.Assumed = holders(holder, by)
	t.Cells = t.Rows
	t.Bytes = sizeOfAll(target.Key()) + t.Rows*(sizeOfAll(holder.Key())+ownNumber) + 8*t.Cells
	return t
}

// holders returns how many instances of an aggregate hold one key of another in an attribute, or in several of which it is one.
// The model says it only where what they hold is their own partition key.
func holders(a *Aggregate, by *Attribute) (rows int64, assumed bool) {
	fields := []*Attribute{by}
	for _, r := range references(a.Attributes) {
		if slices.Contains(r.fields, by) {
			fields = r.fields
		}
	}
	held := func(in []*Attribute) bool {
		return !slices.ContainsFunc(in, func(k *Attribute) bool { return !slices.Contains(fields, k) })
	}
	switch {
	case held(a.Key()):
		return 1, false
	case held(a.Identifier):
		return instances(a)
	}
	return defaultRows, true
}

func sizeOfAll(in []*Attribute) int64 {
	var sum int64
	for _, a := range in {
		sum += sizeOf(a.Type, a.Multiplicity)
	}
	return sum
}
