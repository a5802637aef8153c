package catalog

import (
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// Keyspace has the types, tables and indexes of a keyspace, from any source. The columns of its tables are in the order of
// [schema.Table.Ordered]. Its tables have only the properties that differ from the server's defaults. Each property has a name
// and a value in the canonical form: 'text', 1.5, true, {'key': 'value', …} with sorted keys.
type Keyspace struct {
	schema.Schema

	// Dropped are the dropped columns, by the names of the table and of the column. The server refuses to add most of them again
	// with another type or kind.
	Dropped map[string]map[string]*schema.Column

	// Notes are the other objects of a live keyspace, sorted by kind and name.
	Notes []Note

	// views are the materialized views, by name.
	views map[string]*ddl.CreateView

	// Order is the order in which a folder of migrations created the objects; nil if the keyspace has another source.
	Order *Order

	// Shared are the types that another folder creates and alters, by name.
	Shared map[string]Shared

	// Manual are the names in the aml:manual directives of a folder.
	Manual map[string]bool
}

// Table returns a table; nil if it does not exist.
func (k *Keyspace) Table(name string) *schema.Table {
	for _, t := range k.Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Type returns a user-defined type; nil if it does not exist.
func (k *Keyspace) Type(name string) *schema.UDT {
	for _, u := range k.Types {
		if u.Name == name {
			return u
		}
	}
	return nil
}

// Column returns a column of a table; nil if it does not exist.
func Column(t *schema.Table, name string) *schema.Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Index returns an index, whose name is unique in the keyspace, and its table; nil if it does not exist.
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

// drop records a dropped column of a table.
func (k *Keyspace) drop(table string, c *schema.Column) {
	if k.Dropped == nil {
		k.Dropped = map[string]map[string]*schema.Column{}
	}
	if k.Dropped[table] == nil {
		k.Dropped[table] = map[string]*schema.Column{}
	}
	k.Dropped[table][c.Name] = c
}

// Note describes an object of a live keyspace that a [Keyspace] does not contain. Every omitted object has a note.
type Note struct {
	Object string // such as "materialized view"
	Name   string // the name as CQL writes it
	Table  string // the name of the table that it belongs to; "" if there is none
	Text   string // its description, in one line
}

// String returns one line, "object name: text".
func (n Note) String() string { return n.Object + " " + n.Name + ": " + n.Text }

// Shared describes a type that belongs to another folder.
type Shared struct {
	From  string // the package whose folder creates and alters it
	Ended bool   // the folder no longer uses it
}

// ensureOrder returns the order of a keyspace, and creates it if necessary.
func (k *Keyspace) ensureOrder() *Order {
	if k.Order == nil {
		k.Order = &Order{created: map[string]map[string]int{}, backfilled: map[string]int{}, fields: map[string]map[string][]string{}}
	}
	return k.Order
}
