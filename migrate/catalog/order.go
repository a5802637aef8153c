package catalog

import (
	"maps"
	"slices"

	"github.com/cassaml/cassaml/migrate/folder"
)

// Order records in which file, by number, a folder of migrations created each existing table and column and requested each
// backfill, and which functions it calls.
type Order struct {
	file       int                       // the current file
	created    map[string]map[string]int // the keys are a table and a column; the column "" is the table itself
	backfilled map[string]int            // the last file that requests a backfill of a table
	calls      []string
	fields     map[string]map[string][]string // the keys are a table and a type; the fields with which rows of the table were written
}

// Created returns the file that created a column, or a table if the column is ""; 0 if there is none.
func (o *Order) Created(table, column string) int { return o.created[table][column] }

// Backfilled returns the last file that requests a backfill of a table; 0 if there is none.
func (o *Order) Backfilled(table string) int { return o.backfilled[table] }

// Calls returns the names of the functions that the folder calls.
func (o *Order) Calls() []string { return o.calls }

// Fields returns the fields of each type, by its name, with which a table was created and filled, for the types of which the model did not
// have all fields then.
func (o *Order) Fields(table string) map[string][]string { return o.fields[table] }

func (o *Order) clone() *Order {
	if o == nil {
		return nil
	}
	of := *o
	of.created, of.backfilled, of.calls = map[string]map[string]int{}, maps.Clone(o.backfilled), slices.Clone(o.calls)
	for table, columns := range o.created {
		of.created[table] = maps.Clone(columns)
	}
	of.fields = map[string]map[string][]string{}
	for table, types := range o.fields {
		of.fields[table] = maps.Clone(types)
	}
	return &of
}

// begin records the start of a file.
func (o *Order) begin(f folder.File) {
	o.file = f.Number
	for _, d := range f.Directives {
		if d.Verb == "backfill" {
			o.backfilled[d.Argument] = o.file
			delete(o.fields, d.Argument)
		}
	}
	for _, d := range f.Directives {
		if table, of, fields, ok := d.Fields(); ok && d.Verb == "fields" {
			if o.fields[table] == nil {
				o.fields[table] = map[string][]string{}
			}
			o.fields[table][of] = fields
		}
	}
}
