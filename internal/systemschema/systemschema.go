// Package systemschema reads the tables of system_schema that describe one keyspace, from one node, whose schema is the one that all nodes
// agreed on.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/gocql/gocql"
//		"github.com/scylladb/gocqlx/v2"
//
//		"github.com/cassaml/cassaml/internal/systemschema"
//		"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
//	)
//
//	func main() {
//		session, err := gocqlx.WrapSession(gocql.NewCluster("127.0.0.1").CreateSession())
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		columns, err := systemschema.Reader{Session: gocqldriver.New(session), Keyspace: "shop"}.Columns(context.Background(), "orders")
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, c := range columns {
//			fmt.Println(c.Name, c.Type)
//		}
//	}
package systemschema

import (
	"context"
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/mapper/driver"
)

// Reader reads the schema of one keyspace.
type Reader struct {
	Session  driver.Session
	Keyspace string
	Attempts driver.Attempts
}

// Rows calls row for each row of a table of system_schema, after it has stored the values of the row in take. The statement ends before its
// WHERE; restrictions has the values of further columns.
func (r Reader) Rows(ctx context.Context, statement string, restrictions map[string]string, row func(), take ...any) error {
	statement += " WHERE keyspace_name = ?"
	values := []any{r.Keyspace}
	for column, value := range restrictions {
		statement, values = statement+" AND "+column+" = ?", append(values, value)
	}
	rows := r.Session.Query(ctx, driver.Query{CQL: statement, Args: values, Consistency: driver.One, Attempts: r.Attempts, Metadata: true})
	for rows.Scan(take...) {
		row()
	}
	if err := rows.Close(); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// named restricts rows to a name, unless it is "".
func named(column, name string) map[string]string {
	if name == "" {
		return nil
	}
	return map[string]string{column: name}
}

// Column is a row of system_schema.columns.
type Column struct {
	Table, Name string
	Kind        string // partition_key, clustering, static or regular
	Position    int    // the place in the partition key or the clustering key; -1 for other columns
	Order       string // asc, desc or none
	Type        string
}

// Columns returns the columns of a table, or of all tables if table is "".
func (r Reader) Columns(ctx context.Context, table string) (all []Column, err error) {
	var c Column
	err = r.Rows(ctx, "SELECT table_name, column_name, kind, position, clustering_order, type FROM system_schema.columns", named("table_name", table),
		func() { all = append(all, c) }, &c.Table, &c.Name, &c.Kind, &c.Position, &c.Order, &c.Type)
	return all, err
}

// Type is a row of system_schema.types.
type Type struct {
	Name          string
	Fields, Types []string
}

// Types returns the user-defined type with a name, or all if name is "".
func (r Reader) Types(ctx context.Context, name string) (all []Type, err error) {
	var t Type
	err = r.Rows(ctx, "SELECT type_name, field_names, field_types FROM system_schema.types", named("type_name", name), func() {
		all = append(all, t)
		t = Type{}
	}, &t.Name, &t.Fields, &t.Types)
	return all, err
}

// Index is a row of system_schema.indexes.
type Index struct {
	Table, Name string
	Kind        string // CUSTOM, or the kind of an index of the server's oldest class
	Options     map[string]string
}

// Indexes returns the indexes of a table, or of all tables if table is "".
func (r Reader) Indexes(ctx context.Context, table string) (all []Index, err error) {
	var i Index
	err = r.Rows(ctx, "SELECT table_name, index_name, kind, options FROM system_schema.indexes", named("table_name", table), func() {
		all = append(all, i)
		i = Index{}
	}, &i.Table, &i.Name, &i.Kind, &i.Options)
	return all, err
}

// View is a row of system_schema.views.
type View struct{ Name, Base, Where string }

// Views returns the materialized view with a name, or all if name is "".
func (r Reader) Views(ctx context.Context, name string) (all []View, err error) {
	var v View
	err = r.Rows(ctx, "SELECT view_name, base_table_name, where_clause FROM system_schema.views", named("view_name", name),
		func() { all = append(all, v) }, &v.Name, &v.Base, &v.Where)
	return all, err
}

// TableIDs returns the id of a table, or of all tables if table is "", by name.
func (r Reader) TableIDs(ctx context.Context, table string) (map[string]string, error) {
	ids := map[string]string{}
	var name, id string
	err := r.Rows(ctx, "SELECT table_name, id FROM system_schema.tables", named("table_name", table), func() { ids[name] = id }, &name, &id)
	return ids, err
}

// Tables calls a function with the name, the flags and some properties of each table, and ends at its first error. The values of the
// properties are pointers to pointers or maps, which are nil for null: their types are those of the server.
func (r Reader) Tables(ctx context.Context, properties []string, table func(name string, flags []string, values []any) error) error {
	statement := "SELECT table_name, flags, " + strings.Join(properties, ", ") + " FROM system_schema.tables WHERE keyspace_name = ?"
	rows := r.Session.Query(ctx, driver.Query{CQL: statement, Args: []any{r.Keyspace}, Consistency: driver.One, Attempts: r.Attempts, Metadata: true})
	columns := rows.Types()
	for {
		var name string
		var flags []string
		into := []any{&name, &flags}
		for _, c := range columns[min(2, len(columns)):] {
			into = append(into, target(c.Type.ID))
		}
		if !rows.Scan(into...) {
			break
		}
		if err := table(name, flags, into[2:]); err != nil {
			_ = rows.Close() // the error to report is that of the function
			return err
		}
	}
	if err := rows.Close(); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// target returns a pointer to scan a property into; null becomes nil.
func target(t driver.TypeID) any {
	switch t {
	case driver.TypeBoolean:
		return new(*bool)
	case driver.TypeInt:
		return new(*int)
	case driver.TypeDouble:
		return new(*float64)
	case driver.TypeMap:
		return new(map[string]string)
	}
	return new(*string)
}
