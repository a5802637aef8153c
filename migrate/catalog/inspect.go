package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/systemschema"
)

// ErrNoKeyspace reports that the cluster has no keyspace of a name.
var ErrNoKeyspace = errors.New("there is no such keyspace; a name keeps its case")

// owned are the tables in which migrations are recorded. They are no part of what a model or a folder describes.
var owned = []string{"aml_migrations", "gocqlx_migrate"}

// Inspect reads a live keyspace from the tables of system_schema: types, tables with their columns, properties and
// indexes, and the columns that were dropped. Types come each after those it needs, and tables by their names. The two
// tables in which migrations are recorded, aml_migrations and gocqlx_migrate, are left out. What the form of a [Keyspace]
// cannot hold is in its Notes.
//
// A keyspace that is not there is an [ErrNoKeyspace]. A schema that changes while it is read can be an error that says
// so; reading it again helps.
func Inspect(ctx context.Context, session *gocql.Session, keyspace string) (*Keyspace, error) {
	in := &inspection{Reader: systemschema.Reader{Session: session, Keyspace: keyspace}, ctx: ctx, found: &Keyspace{}, apart: map[string]bool{}}
	for _, read := range []func() error{in.exists, in.types, in.tables, in.views, in.columns, in.dropped, in.indexes, in.beyond} {
		if err := read(); err != nil {
			return nil, fmt.Errorf("catalog: inspect keyspace %s: %w", keyspace, err)
		}
	}
	slices.SortStableFunc(in.found.Notes, compareNotes)
	return in.found, nil
}

// inspection is one reading of a keyspace.
type inspection struct {
	systemschema.Reader
	ctx   context.Context
	found *Keyspace
	apart map[string]bool // what has columns and is no table that a Keyspace can hold
}

// each reads the rows of this keyspace in a table of system_schema. Row is called for each one, when what take points to has its
// values.
func (in *inspection) each(statement string, row func(), take ...any) error {
	return in.Rows(in.ctx, statement, nil, row, take...)
}

func (in *inspection) note(object, name, table, text string, args ...any) {
	in.found.Notes = append(in.found.Notes, Note{Object: object, Name: name, Table: table, Text: fmt.Sprintf(text, args...)})
}

func (in *inspection) exists() error {
	there := false
	var name string
	if err := in.each("SELECT keyspace_name FROM system_schema.keyspaces", func() { there = true }, &name); err != nil {
		return err
	}
	if !there {
		return ErrNoKeyspace
	}
	return nil
}

// table finds the table that a row of system_schema is about; nil for what is not one of the keyspace's own tables.
func (in *inspection) table(name string) (*schema.Table, error) {
	if t := in.found.Table(name); t != nil || in.apart[name] || slices.Contains(owned, name) {
		return t, nil
	}
	return nil, fmt.Errorf("table %s has appeared while the schema was read: read it again", name)
}

// views notes the materialized views, whose columns stand among those of tables.
func (in *inspection) views() error {
	all, err := in.Views(in.ctx, "")
	for _, v := range all {
		in.apart[v.Name] = true
		in.note("materialized view", model.Quote(v.Name), v.Base, "of table %s where %s; a redundant aggregate would be written with its source", model.Quote(v.Base), v.Where)
	}
	return err
}

// beyond notes what else a keyspace can hold.
func (in *inspection) beyond() error {
	if err := in.functions(); err != nil {
		return err
	}
	var table, name string
	if err := in.each("SELECT table_name, trigger_name FROM system_schema.triggers", func() {
		in.note("trigger", model.Quote(name), table, "on table %s; what it does is not known", model.Quote(table))
	}, &table, &name); err != nil {
		return err
	}
	return in.masks()
}

func (in *inspection) functions() error {
	var name string
	var arguments []string
	for _, of := range []string{"function", "aggregate"} {
		if err := in.each("SELECT "+of+"_name, argument_types FROM system_schema."+of+"s", func() {
			in.note(of, model.Quote(name)+"("+strings.Join(arguments, ", ")+")", "", "a user-defined %s; models have none", of)
			arguments = nil
		}, &name, &arguments); err != nil {
			return err
		}
	}
	return nil
}

// masks notes the columns whose values are masked for some roles, which servers before 5.0 cannot.
func (in *inspection) masks() error {
	there, err := in.systemColumns("column_masks")
	if err != nil || len(there) == 0 {
		return err
	}
	var table, column, function string
	return in.each("SELECT table_name, column_name, function_name FROM system_schema.column_masks", func() {
		in.note("mask", model.Quote(column), table, "column %s of table %s is masked with %s", model.Quote(column), model.Quote(table), function)
	}, &table, &column, &function)
}

// systemColumns lists the columns that a table of system_schema has on this server; none is for no such table.
func (in *inspection) systemColumns(table string) (names []string, err error) {
	columns, err := systemschema.Reader{Session: in.Session, Keyspace: "system_schema"}.Columns(in.ctx, table)
	for _, c := range columns {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return names, err
}

func compareNotes(a, b Note) int {
	if c := strings.Compare(a.Object, b.Object); c != 0 {
		return c
	}
	return strings.Compare(a.Name, b.Name)
}

// Note is something of a live keyspace that a [Keyspace] has no place for: what it is, what it is called, and the words to
// tell a reader. Nothing of what a keyspace holds is left out without one.
type Note struct {
	Object string // such as "materialized view"
	Name   string // as CQL writes it
	Table  string // that it belongs to, by its name; "" for none
	Text   string // what it is, in one line
}

// String returns one line: object name: text.
func (n Note) String() string { return n.Object + " " + n.Name + ": " + n.Text }
