package catalog

import (
	"maps"
	"slices"

	"github.com/cassaml/cassaml/migrate/internal/ddl"

	"github.com/cassaml/cassaml/migrate/folder"
)

// Order records in which file, by number, a folder of migrations created each existing table and column and requested each
// backfill, and which functions it calls.
type Order struct {
	file   int                       // the current file
	made   map[string]map[string]int // by table and column; the column "" is the table itself
	filled map[string]int            // by table: the last file that requests a backfill
	calls  []string
}

// Made returns the file that created a column, or a table if the column is ""; 0 if there is none.
func (o *Order) Made(table, column string) int { return o.made[table][column] }

// Filled returns the last file that requests a backfill of a table; 0 if there is none.
func (o *Order) Filled(table string) int { return o.filled[table] }

// Calls returns the names of the functions that the folder calls.
func (o *Order) Calls() []string { return o.calls }

// ordering returns the order of a keyspace, which it creates if necessary.
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

// begin records the start of a file.
func (o *Order) begin(f folder.File) {
	o.file = f.Number
	for _, d := range f.Directives {
		if d.Verb == "backfill" {
			o.filled[d.Argument] = o.file
		}
	}
}

// follow records what a statement, which has been executed, has created or removed.
func (o *Order) follow(k *Keyspace, s ddl.Statement) {
	switch s.(type) {
	case *ddl.CreateTable, *ddl.AddColumns, *ddl.DropColumns, *ddl.RenameColumns, *ddl.DropTable:
		o.followTable(k, s.On().Name)
	}
}

// followTable updates the record of a table.
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
