package descriptor

import "slices"

// Schema describes the tables that a store reads and writes.
type Schema struct {
	Package string // the import path of the model
	Types   []*Type
	Tuples  []*Type
	Tables  []*Table
	Views   []*Table // some columns of one of the Tables, including the complete key; only read

	Aggregates []*Aggregate // the aggregates of the Tables that have copies
}

// Type describes a UDT, or a struct that is stored as a tuple.
type Type struct {
	Name     string // the name in system_schema; "" for a tuple
	Of       string // the Go struct
	Identity []int  // the fields that distinguish the elements of a collection; none: all fields
	Fields   []Field
}

// Field is a field of a UDT or a member of a tuple.
type Field struct {
	Name string // CQL; "" for a tuple
	Type string // CQL
	Go   string // the Go field, for messages
	Of   string // the Go struct of the value: see [Column]
}

// Batchlog returns the tables whose writes use the batchlog: the tables of every aggregate with a copy in another partition
// than its root.
func (s *Schema) Batchlog() (tables []*Table) {
	for _, a := range s.Aggregates {
		if !slices.ContainsFunc(a.Copies, func(p Projection) bool { return p.OutsidePartition(a.Root) }) {
			continue
		}
		tables = append(tables, a.Root)
		for i := range a.Copies {
			tables = append(tables, a.Copies[i].Table)
		}
	}
	return tables
}

// HasLifetime reports whether a TTL of a table has this name.
func (s *Schema) HasLifetime(name string) bool {
	return slices.ContainsFunc(s.Tables, func(t *Table) bool {
		return slices.ContainsFunc(t.Lifetimes, func(l Lifetime) bool { return l.Name == name && name != "" })
	})
}
