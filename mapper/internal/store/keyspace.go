package store

import (
	"maps"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/internal/systemschema"
)

// Keyspace is the part of system_schema that describes one keyspace.
type Keyspace struct {
	Name   string
	Tables map[string]map[string]Column // the columns by table and column name
	Types  map[string][]descriptor.Field

	Indexes map[string][]string // the targets by table, as in [plan.Index]
	Options map[string]Options  // the options by table
	Oldest  systemschema.Node   // the node with the oldest version
}

// Options is the part of a row of system_schema.tables that a store depends on.
type Options struct {
	ID      string
	TTL     int // default_time_to_live
	GCGrace int // gc_grace_seconds
	Buckets int // the number of buckets in the comment of a reverse table; 0 for any other table

	Unfilled bool // set for a reverse table that does not have the rows of all references yet
}

// Column is a row of system_schema.columns.
type Column struct {
	Kind     string // partition_key, clustering, static, regular
	Position int    // the position in the partition key or the clustering key; -1 for other columns
	Type     string
	Order    string // asc, desc; none
}

// NewKeyspace returns a keyspace without tables and types.
func NewKeyspace(name string) *Keyspace {
	return &Keyspace{Name: name, Tables: map[string]map[string]Column{}, Types: map[string][]descriptor.Field{}, Indexes: map[string][]string{},
		Options: map[string]Options{}}
}

// GCGrace returns gc_grace_seconds of each table.
func (k *Keyspace) GCGrace() map[string]int {
	out := map[string]int{}
	for name, o := range k.Options {
		out[name] = o.GCGrace
	}
	return out
}

// Buckets returns the number of buckets of each reverse table.
func (k *Keyspace) Buckets() map[string]int {
	out := map[string]int{}
	for name, o := range k.Options {
		out[name] = o.Buckets
	}
	return out
}

// Unfilled returns the names of the reverse tables that do not have the rows of all references yet.
func (k *Keyspace) Unfilled() map[string]bool {
	out := map[string]bool{}
	for name, o := range k.Options {
		if o.Unfilled {
			out[name] = true
		}
	}
	return out
}

func (k *Keyspace) clone() *Keyspace {
	out := NewKeyspace(k.Name)
	for name, columns := range k.Tables {
		out.Tables[name] = maps.Clone(columns)
	}
	for name, fields := range k.Types {
		out.Types[name] = slices.Clone(fields)
	}
	return out
}
