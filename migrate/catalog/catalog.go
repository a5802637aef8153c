package catalog

import (
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// Keyspace is the types, tables and indexes of a keyspace, whatever they were read from. Its tables have their columns in
// the order of [schema.Table.Ordered], and of properties those alone that differ from the server's defaults, each with its
// name and with its value written one way: 'text', 1.5, true, {'key': 'value', …} with its keys sorted.
type Keyspace struct {
	schema.Schema

	// Dropped are the columns that a table had once, by the names of the table and of the column. The server refuses most
	// of them permanently when they are added again as something else.
	Dropped map[string]map[string]*schema.Column

	// Notes are what a live keyspace holds beyond that, sorted by what they are about.
	Notes []Note

	// views are the materialized views, by their names.
	views map[string]*ddl.CreateView

	// Order is that in which a folder of migrations made what is there; nil where it was read from elsewhere, which does not tell.
	Order *Order

	// Shared are the types that another folder creates and alters, by their names.
	Shared map[string]Shared

	// Manual are the names of tables, types and indexes that a folder of migrations owns by hand.
	Manual map[string]bool
}

// Table finds a table; nil is none.
func (k *Keyspace) Table(name string) *schema.Table {
	for _, t := range k.Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Type finds a user-defined type; nil is none.
func (k *Keyspace) Type(name string) *schema.UDT {
	for _, u := range k.Types {
		if u.Name == name {
			return u
		}
	}
	return nil
}

// Column finds a column of a table; nil is none.
func Column(t *schema.Table, name string) *schema.Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Index finds an index by its name, which is one for the whole keyspace, and its table; nil is none.
func (k *Keyspace) Index(name string) (*schema.Table, *schema.Index) {
	for _, t := range k.Tables {
		for _, i := range t.Indexes {
			if i.Name == name {
				return t, i
			}
		}
	}
	return nil, nil
}

// Has reports whether a table, a type, an index or a view has a name.
func (k *Keyspace) Has(name string) bool {
	_, i := k.Index(name)
	return k.Table(name) != nil || k.Type(name) != nil || i != nil || k.views[name] != nil
}

// drop remembers that a table had a column.
func (k *Keyspace) drop(table string, c *schema.Column) {
	if k.Dropped == nil {
		k.Dropped = map[string]map[string]*schema.Column{}
	}
	if k.Dropped[table] == nil {
		k.Dropped[table] = map[string]*schema.Column{}
	}
	k.Dropped[table][c.Name] = c
}
