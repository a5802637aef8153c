package vet

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Store is the fact about a package with a generated store: its tables.
type Store struct{ Tables []Table }

// AFact makes Store a fact of packages.
func (*Store) AFact() {}

// String returns the names of the tables.
func (s *Store) String() string {
	var out []string
	for _, t := range s.Tables {
		out = append(out, t.Name)
	}
	return strings.Join(out, " ")
}

// Table is a table of a store.
type Table struct {
	Name       string
	Columns    []string
	Partition  []string // the columns of the partition key
	Clustering []string
	Indexes    []Index
	Kept       Kept
	Root       string // set for a table with Kept: the Go name of the struct that is written instead
	Field      string // the field of the store that writes it
	Remembered bool   // a store remembers its rows, until its method Forget is called
}

// Index is an index of a column.
type Index struct {
	Column   string
	Contains bool // it finds elements; otherwise values
}

// Kept describes which rules the rows of a table obey that a plain statement does not know.
type Kept uint8

// The rules of rows.
const (
	Plain     Kept = iota // none
	Versioned             // each write is conditional
	Redundant             // they follow from a root
	Derived               // the store maintains them for a root: reservations, done-markers
)

// newStore returns the tables of a schema.
func newStore(s *schema.Schema) *Store {
	out := &Store{}
	for _, t := range s.Tables {
		x := Table{Name: t.Name, Columns: names(t.Columns), Partition: names(t.PartitionKey), Clustering: names(t.ClusteringKey)}
		for _, i := range t.Indexes {
			if i.Read != schema.Near {
				x.Indexes = append(x.Indexes, Index{i.Column.Name, i.Read == schema.Contains})
			}
		}
		var root *model.Aggregate
		switch {
		case t.Derived != nil:
			x.Kept, root = Derived, t.Derived
		case !t.Aggregate.IsSource():
			x.Kept, root = Redundant, t.Aggregate.Redundancy.Source
		case t.Aggregate.Versioned():
			x.Kept, root = Versioned, t.Aggregate
		}
		if root != nil {
			x.Remembered = t.Aggregate != nil && t.Aggregate.Redundancy != nil && t.Aggregate.Redundancy.Cache > 0
			x.Root, x.Field = root.Struct.Name, model.CamelCase(root.Table)
			if root.InRootTable {
				x.Field = root.Struct.Name
			}
		}
		out.Tables = append(out.Tables, x)
	}
	return out
}

func names(in []*schema.Column) (out []string) {
	for _, c := range in {
		out = append(out, c.Name)
	}
	return out
}

// table returns a table by its name.
func table(in []*Store, name string) *Table {
	for _, s := range in {
		if i := slices.IndexFunc(s.Tables, func(t Table) bool { return t.Name == name }); i >= 0 {
			return &s.Tables[i]
		}
	}
	return nil
}
