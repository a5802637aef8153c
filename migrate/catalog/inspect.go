package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/schema"
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
	in := &inspection{ctx: ctx, session: session, keyspace: keyspace, found: &Keyspace{}, apart: map[string]bool{}}
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
	ctx      context.Context
	session  *gocql.Session
	keyspace string
	found    *Keyspace
	apart    map[string]bool // what has columns and is no table that a Keyspace can hold
}

// each reads the rows of this keyspace in a table of system_schema, in the order of their names. Row is called for each one,
// when what take points to has its values.
func (in *inspection) each(statement string, row func(), take ...any) error {
	return in.rows(statement+" WHERE keyspace_name = ?", []any{in.keyspace}, row, take...)
}

func (in *inspection) rows(statement string, values []any, row func(), take ...any) error {
	rows := in.session.Query(statement, values...).WithContext(in.ctx).Consistency(gocql.One).NoSkipMetadata().Iter()
	for rows.Scan(take...) {
		row()
	}
	if err := rows.Close(); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
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

// table finds the table that a row of system_schema speaks of; nil for what is no part of the keyspace's own tables.
func (in *inspection) table(name string) (*schema.Table, error) {
	if t := in.found.Table(name); t != nil || in.apart[name] || slices.Contains(owned, name) {
		return t, nil
	}
	return nil, fmt.Errorf("table %s has appeared while the schema was read: read it again", name)
}
