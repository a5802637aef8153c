package model

import (
	"cmp"
	"fmt"
	"slices"
)

// Estimate is the size of one partition of a table, by the formulas of Chebotko, Kashlev and Lu, "A Big Data Modeling
// Methodology for Apache Cassandra" (2015), section on disk space:
//
//	cells = rows × (columns − key columns − static columns) + static columns
//	bytes = partition key + static columns + rows × (regular columns + clustering key) + 8 × cells
//
// A collection is assumed to have max= values.
type Estimate struct {
	Rows  int64 // the number in the partition
	Cells int64
	Bytes int64
}

// DefaultElements is the number of elements of a collection without max=.
const DefaultElements = 10

// Further defaults where the model declares nothing.
const (
	defaultRows = 1000 // the rows of a partition with a clustering key
	defaultText = 32   // bytes of a text, a blob or a number of any size
)

// Large reports whether the partition exceeds the recommended maximum of 100 MB or 100,000 rows.
func (e Estimate) Large() bool { return e.Bytes > 100_000_000 || e.Rows > 100_000 }

// Size returns the number of bytes with a unit.
func (e Estimate) Size() string {
	switch {
	case e.Bytes >= 1_000_000_000:
		return fmt.Sprintf("%.1f GB", float64(e.Bytes)/1e9)
	case e.Bytes >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(e.Bytes)/1e6)
	case e.Bytes >= 1000:
		return fmt.Sprintf("%.1f kB", float64(e.Bytes)/1e3)
	}
	return fmt.Sprintf("%d bytes", e.Bytes)
}

// NewEstimate estimates a partition of the table of an aggregate; with a part in it, the rows are the part's.
func NewEstimate(a *Aggregate) Estimate {
	var e Estimate
	e.Rows, _ = partitionRows(a)
	var once, each, regular, static int64
	for _, at := range a.columns() {
		shared := len(a.columns()) > len(a.Attributes) && containsAttribute(a.Attributes, at)
		size := valueSize(at.Type, at.Multiplicity)
		switch {
		case containsAttribute(a.Identifier, at):
			once += size
		case at.Static || shared:
			once += size
			static++
		case at.Key:
			each += size
		default:
			each += size
			regular++
		}
	}
	e.Cells = e.Rows*regular + static
	e.Bytes = once + e.Rows*each + 8*e.Cells
	return e
}

func containsAttribute(in []*Attribute, at *Attribute) bool {
	return slices.Contains(in, at)
}

// partitionRows returns the number of rows of a partition, and whether it is the default.
func partitionRows(a *Aggregate) (rows int64, assumed bool) {
	for _, p := range a.Parts {
		if p.InRootTable && (p.Rows > 0 || a.Rows == 0) {
			return partitionRows(p)
		}
	}
	switch {
	case a.Rows > 0:
		return int64(a.Rows), false
	case len(a.Discriminators) == 0:
		return 1, false
	case a.Redundancy != nil:
		return rowsFromSource(a)
	}
	return defaultRows, true
}

// rowsFromSource returns the rows of a redundant aggregate that has discriminators: the rows of its source's partition, or
// of one row of it, times the elements of the collection, where its partition key is the source's.
func rowsFromSource(a *Aggregate) (rows int64, assumed bool) {
	r := a.Redundancy
	var paths []*Path
	for _, k := range a.Identifier {
		if k.Origin.Object == nil {
			paths = append(paths, k.Origin.Path)
		}
	}
	key := r.sourceKey()
	switch partition := key[:len(r.Source.Identifier)]; {
	case containsPaths(key, paths):
		rows = 1
	case containsPaths(partition, paths) && len(paths) == len(partition) && len(paths) == len(a.Identifier):
		rows, assumed = instances(r.Source)
	default:
		return defaultRows, true
	}
	if r.Path != nil {
		rows *= int64(elements(r.Path))
	}
	return rows, assumed
}

// instances returns the number of instances of an aggregate in a partition.
func instances(a *Aggregate) (n int64, assumed bool) {
	switch {
	case len(a.Discriminators) == 0:
		return 1, false
	case a.InRootTable:
		return partitionRows(a.Root)
	}
	return partitionRows(a)
}

func elements(p *Path) int {
	if m := p.Steps[p.Loop].Multiplicity.Max; m > 0 {
		return m
	}
	return DefaultElements
}

func valueSize(t *Type, m Multiplicity) int64 {
	n := int64(DefaultElements)
	if m.Max > 0 {
		n = int64(m.Max)
	}
	none := Multiplicity{-1, -1}
	switch t.Kind {
	case List, Set:
		return n * valueSize(t.Elem, none)
	case MapType:
		return n * (valueSize(t.Key, none) + valueSize(t.Elem, none))
	case Vector:
		return int64(t.Size) * valueSize(t.Elem, none)
	case Composed:
		var sum int64
		for _, a := range t.Object.Attributes {
			sum += valueSize(a.Type, a.Multiplicity)
		}
		return sum
	case Tuple:
		var sum int64
		for _, x := range t.Members {
			sum += valueSize(x, none)
		}
		return sum
	}
	return int64(cmp.Or(t.size(), defaultText))
}

// TableEstimate is the size of one partition of a table.
type TableEstimate struct {
	Table string
	Estimate
	Assumed bool // the number of rows is a default
}

// Estimates estimates a partition of every table of a model, including derived tables, each after the table that it is
// derived from. The tool's own columns in declared tables are not counted.
func Estimates(m *Model) []TableEstimate {
	var out []TableEstimate
	for _, a := range m.Aggregates {
		if a.InRootTable {
			continue
		}
		_, assumed := partitionRows(a)
		out = append(out, TableEstimate{a.Table, NewEstimate(a), assumed})
		out = append(out, derivedEstimates(a)...)
	}
	return append(out, outboxEstimates(m)...)
}

// outboxEstimates estimates the table of the roots whose changes copies have to follow, if the model has copies that follow. Each partition has
// the roots whose copies have not followed yet, of all tables; the number of these does not follow from the model.
func outboxEstimates(m *Model) []TableEstimate {
	var key int64
	for _, a := range m.Aggregates {
		for _, c := range a.Copies {
			key = max(key, sizeOfAll(c.Target.Key())+keyLength*int64(len(c.Target.Key())))
		}
	}
	if key == 0 {
		return nil
	}
	t := TableEstimate{Table: "aml_outboxes", Estimate: Estimate{Rows: defaultRows, Cells: defaultRows}, Assumed: true}
	t.Bytes = shardColumn + t.Rows*(defaultText+key+ownNumber) + 8*t.Cells
	return []TableEstimate{t}
}

// shardColumn is the size of the number of a partition of the outboxes, and keyLength the size of the length of a value in their keys.
const shardColumn, keyLength = 4, 4

// ownNumber is the size of one of the tool's own columns: a version or a time, a bigint.
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
		if !c.Checked() {
			out = append(out, pairs(c.Table, a, c.Target, c.Attribute, c.Rows))
		}
	}
	for _, x := range a.Associations {
		by := x.Attribute
		if x.Many || len(x.Path) > 1 {
			by = nil
		}
		if x.Table != "" {
			out = append(out, pairs(x.Table, a, x.Target, by, x.Rows))
		}
	}
	return out
}

// bucketColumn is the size of the number of a bucket.
const bucketColumn = 4

// pairs estimates a bucket of a table that has a row for each aggregate that refers to one target, by an attribute or, if by is nil,
// by a collection or a nested value. rows is the declared number of these aggregates; 0: none.
func pairs(table string, holder, target *Aggregate, by *Attribute, rows int) TableEstimate {
	t := TableEstimate{Table: table}
	if t.Rows = int64(rows); rows == 0 {
		t.Rows, t.Assumed = holders(holder, by)
	}
	n := int64(buckets(rows))
	t.Rows = (t.Rows + n - 1) / n
	t.Cells = t.Rows
	t.Bytes = sizeOfAll(target.Key()) + bucketColumn + t.Rows*(sizeOfAll(holder.Key())+ownNumber) + 8*t.Cells
	return t
}

// holders returns how many instances of an aggregate refer to one target, by an attribute or by several fields that include it.
// The model determines it only if the reference is their own partition key.
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
		sum += valueSize(a.Type, a.Multiplicity)
	}
	return sum
}

// Size returns the estimated number of bytes of a value of the attribute.
func (a *Attribute) Size() int64 { return valueSize(a.Type, a.Multiplicity) }
