package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/systemschema"
)

// ErrNoKeyspace reports that the cluster does not have the keyspace.
var ErrNoKeyspace = errors.New("the keyspace does not exist; its name is case-sensitive")

// owned are the tables in which migrations and shared work are recorded. Models and folders do not describe them.
var owned = []string{"aml_migrations", "aml_work", "gocqlx_migrate"}

// reserved is the prefix of the tables of the tool, which models and folders must not have.
const reserved = "aml_"

// Inspect reads a live keyspace from the tables of system_schema: types, tables with their columns, properties and indexes, and
// dropped columns. Each type follows the types that it uses, and tables are sorted by name. The tables in which migrations and shared
// work are recorded, aml_migrations, gocqlx_migrate and aml_work, are omitted. Other objects are in the Notes of the [Keyspace].
//
// The error is [ErrNoKeyspace] if the keyspace does not exist. If the schema changes while it is read, Inspect can return an error;
// call it again.
func Inspect(ctx context.Context, session driver.Session, keyspace string) (*Keyspace, error) {
	if err := driver.Check(session); err != nil {
		return nil, fmt.Errorf("catalog: inspect keyspace %s: %w", keyspace, err)
	}
	in := &inspection{Reader: systemschema.Reader{Session: session, Keyspace: keyspace}, ctx: ctx, found: &Keyspace{}, omitted: map[string]bool{}}
	for _, read := range []func() error{in.exists, in.types, in.tables, in.views, in.columns, in.dropped, in.indexes, in.noteUnmodeled} {
		if err := read(); err != nil {
			return nil, fmt.Errorf("catalog: inspect keyspace %s: %w", keyspace, err)
		}
	}
	slices.SortStableFunc(in.found.Notes, compareNotes)
	return in.found, nil
}

// inspection is the state of [Inspect].
type inspection struct {
	systemschema.Reader
	ctx     context.Context
	found   *Keyspace
	omitted map[string]bool // views and omitted tables, which also have columns
}

// each reads the rows of this keyspace in a table of system_schema. It calls row after each row has been scanned into take.
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

// table returns the table that a row of system_schema describes; nil for a view and for an omitted table.
func (in *inspection) table(name string) (*schema.Table, error) {
	if t := in.found.Table(name); t != nil || in.omitted[name] || slices.Contains(owned, name) {
		return t, nil
	}
	return nil, fmt.Errorf("table %s was created while the schema was read: read it again", name)
}

// views adds a note for each materialized view. system_schema has its columns among the columns of tables.
func (in *inspection) views() error {
	all, err := in.Views(in.ctx, "")
	for _, v := range all {
		in.omitted[v.Name] = true
		in.note("materialized view", model.Quote(v.Name), v.Base, "on table %s where %s; a redundant aggregate can replace it", model.Quote(v.Base), v.Where)
	}
	return err
}

// noteUnmodeled adds a note for each function, trigger and mask.
func (in *inspection) noteUnmodeled() error {
	if err := in.functions(); err != nil {
		return err
	}
	var table, name string
	if err := in.each("SELECT table_name, trigger_name FROM system_schema.triggers", func() {
		in.note("trigger", model.Quote(name), table, "on table %s; its effect is unknown", model.Quote(table))
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
			in.note(of, model.Quote(name)+"("+strings.Join(arguments, ", ")+")", "", "a user-defined %s, which a model cannot declare", of)
			arguments = nil
		}, &name, &arguments); err != nil {
			return err
		}
	}
	return nil
}

// masks adds a note for each column whose values are masked for some roles. Servers before 5.0 have no masks.
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

// systemColumns returns the columns of a table of system_schema on this server; none if the table does not exist.
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
