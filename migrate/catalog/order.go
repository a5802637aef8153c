package catalog

import (
	"maps"
	"slices"

	"github.com/cassaml/cassaml/migrate/internal/ddl"

	"github.com/cassaml/cassaml/migrate/folder"
)

// Order is the order in which a folder of migrations made the tables and columns that are there and asked for backfills, by
// the numbers of its files, and the functions that it calls.
type Order struct {
	file   int                       // at hand
	made   map[string]map[string]int // by tables and their columns; the table itself is the column without a name
	filled map[string]int            // by the names of tables: the last file that asks for it
	calls  []string
}

// Made returns the file that made a column or, where the column is "", a table; 0 is none.
func (o *Order) Made(table, column string) int { return o.made[table][column] }

// Filled returns the last file that asks for a backfill of a table; 0 is none.
func (o *Order) Filled(table string) int { return o.filled[table] }

// Calls returns the names of the functions that the folder calls.
func (o *Order) Calls() []string { return o.calls }

// ordering is the order of a keyspace which a folder makes.
func (k *Keyspace) ordering() *Order {
	if k.Order == nil {
		k.Order = &Order{made: map[string]map[string]int{}, filled: map[string]int{}}
	}
	return k.Order
}

func (o *Order) clone() *Order {
	if o == nil {
		return nil
	}
	of := *o
	of.made, of.filled, of.calls = map[string]map[string]int{}, maps.Clone(o.filled), slices.Clone(o.calls)
	for table, columns := range o.made {
		of.made[table] = maps.Clone(columns)
	}
	return &of
}

// begin is where a file begins.
func (o *Order) begin(f folder.File) {
	o.file = f.Number
	for _, d := range f.Directives {
		if d.Verb == "backfill" {
			o.filled[d.Argument] = o.file
		}
	}
}

// follow notes what a statement, which has been executed, has made or removed.
func (o *Order) follow(k *Keyspace, s ddl.Statement) {
	switch s.(type) {
	case *ddl.CreateTable, *ddl.AddColumns, *ddl.DropColumns, *ddl.RenameColumns, *ddl.DropTable:
		o.followTable(k, s.On().Name)
	}
}

// followTable makes what is known of a table agree with what is there.
func (o *Order) followTable(k *Keyspace, table string) {
	t := k.Table(table)
	if t == nil {
		delete(o.made, table)
		return
	}
	made := map[string]int{"": o.file}
	for _, c := range t.Columns {
		made[c.Name] = o.file
	}
	for name, at := range o.made[table] {
		if _, there := made[name]; there {
			made[name] = at
		}
	}
	o.made[table] = made
}
