package migrate

import (
	"context"
	"fmt"

	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/gocql/gocql"
)

// names asks one node, which has what the nodes agreed on.
func (t *table) names(ctx context.Context, e effect) ([]string, error) {
	switch e.object {
	case tableObject:
		return t.strings(ctx, "SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?", e.keyspace, e.name)
	case columnObject:
		return t.strings(ctx, "SELECT column_name FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?", e.keyspace, e.name)
	case indexObject:
		return t.strings(ctx, "SELECT index_name FROM system_schema.indexes WHERE keyspace_name = ?", e.keyspace)
	case viewObject:
		return t.strings(ctx, "SELECT view_name FROM system_schema.views WHERE keyspace_name = ? AND view_name = ?", e.keyspace, e.name)
	case typeObject:
		var fields []string
		q := t.query(ctx, "SELECT field_names FROM system_schema.types WHERE keyspace_name = ? AND type_name = ?", e.keyspace, e.name)
		rows := q.Consistency(gocql.One).Iter()
		rows.Scan(&fields)
		return fields, rows.Close()
	}
	return nil, fmt.Errorf("system_schema has no %q", e.object)
}

// fields asks one node.
func (t *table) fields(ctx context.Context, keyspace, name string) ([]folder.Field, error) {
	var names, types []string
	rows := t.query(ctx, "SELECT field_names, field_types FROM system_schema.types WHERE keyspace_name = ? AND type_name = ?", keyspace, name).
		Consistency(gocql.One).Iter()
	rows.Scan(&names, &types)
	var out []folder.Field
	for i := range min(len(names), len(types)) {
		out = append(out, folder.Field{Name: names[i], Type: types[i]})
	}
	return out, rows.Close()
}

// indexes asks one node for the indexes of a keyspace.
func (t *table) indexes(ctx context.Context, keyspace string) ([]builtIndex, error) {
	rows := t.query(ctx, "SELECT index_name, table_name, kind, options FROM system_schema.indexes WHERE keyspace_name = ?", keyspace).
		Consistency(gocql.One).Iter()
	var all []builtIndex
	var name, table, kind string
	for options := map[string]string{}; rows.Scan(&name, &table, &kind, &options); options = nil {
		all = append(all, newBuiltIndex(name, table, kind, options))
	}
	return all, rows.Close()
}

// strings reads a column of text or of ids.
func (t *table) strings(ctx context.Context, statement string, values ...any) ([]string, error) {
	rows := t.query(ctx, statement, values...).Consistency(gocql.One).Iter()
	var all []string
	for {
		var value any = new(string)
		if columns := rows.Columns(); len(columns) == 1 && columns[0].TypeInfo.Type() == gocql.TypeUUID {
			value = new(gocql.UUID)
		}
		if !rows.Scan(value) {
			return all, rows.Close()
		}
		switch v := value.(type) {
		case *string:
			all = append(all, *v)
		case *gocql.UUID:
			all = append(all, v.String())
		}
	}
}

// answers reads by an index.
func (t *table) answers(ctx context.Context, i index) error {
	rows := t.query(ctx, "SELECT column_name, type, kind FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?",
		i.keyspace, i.table).Consistency(gocql.One).Iter()
	var name, cqlType, kind, key, ofColumn string
	for rows.Scan(&name, &cqlType, &kind) {
		if kind == "partition_key" {
			key = name
		}
		if name == i.column {
			ofColumn = cqlType
		}
	}
	if err := rows.Close(); err != nil {
		return err
	}
	statement, values, ok := i.probe(ofColumn, key)
	if !ok {
		return errNoProbe
	}
	return t.query(ctx, statement, values...).Exec()
}

// gocqlx reads the table of gocqlx's migrate, if this keyspace has one.
func (t *table) gocqlx(ctx context.Context) ([]gocqlxRecord, error) {
	there, err := t.names(ctx, effect{object: tableObject, keyspace: t.keyspace(), name: "gocqlx_migrate"})
	if err != nil || len(there) == 0 {
		return nil, err
	}
	rows := t.query(ctx, "SELECT name, checksum, done FROM gocqlx_migrate").Consistency(gocql.LocalQuorum).Iter()
	var all []gocqlxRecord
	for r := (gocqlxRecord{}); rows.Scan(&r.name, &r.checksum, &r.done); {
		all = append(all, r)
	}
	return all, rows.Close()
}
