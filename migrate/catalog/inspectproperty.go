package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// noProperty are the columns of system_schema.tables that no statement sets, or that servers no longer look at.
var noProperty = []string{"keyspace_name", "table_name", "id", "flags", "extensions", "dclocal_read_repair_chance", "read_repair_chance"}

// tables reads the tables of the keyspace and their properties.
func (in *inspection) tables() error {
	there, err := in.systemColumns("tables")
	if err != nil {
		return err
	}
	there = slices.DeleteFunc(there, func(c string) bool { return slices.Contains(noProperty, c) })
	statement := "SELECT table_name, flags, " + strings.Join(there, ", ") + " FROM system_schema.tables WHERE keyspace_name = ?"
	rows := in.session.Query(statement, in.keyspace).WithContext(in.ctx).Consistency(gocql.One).NoSkipMetadata().Iter()
	for {
		row, ok := scanTable(rows)
		if !ok {
			break
		}
		if slices.Contains(owned, row.name) {
			continue
		}
		if row.compact() {
			in.apart[row.name] = true
			in.note("table", model.Quote(row.name), "", "it has compact storage, as tables of Thrift had, and is left out; ALTER TABLE … DROP COMPACT STORAGE ends that")
			continue
		}
		t, err := row.table()
		if err != nil {
			return fmt.Errorf("table %s: %w", row.name, err)
		}
		in.found.Tables = append(in.found.Tables, t)
	}
	if err := rows.Close(); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	slices.SortFunc(in.found.Tables, func(a, b *schema.Table) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// tableRow is a row of system_schema.tables.
type tableRow struct {
	name       string
	flags      []string
	properties map[string]string // as CQL writes their values; those that are null are left out
}

// compact reports whether the table is of the kind that CQL shows otherwise than it is stored.
func (r tableRow) compact() bool {
	return !slices.Contains(r.flags, "compound") || slices.Contains(r.flags, "dense") || slices.Contains(r.flags, "super")
}

func (r tableRow) table() (*schema.Table, error) {
	given := map[string]string{}
	for name, text := range r.properties {
		v, err := Value(name, text)
		if err != nil {
			return nil, err
		}
		given[name] = v
	}
	ttl, err := strconv.Atoi(r.properties["default_time_to_live"])
	return &schema.Table{Name: r.name, TTL: ttl, Properties: Options(given)}, err
}

// scanTable takes the next row, whose properties are of whatever types the server says.
func scanTable(rows *gocql.Iter) (tableRow, bool) {
	row := tableRow{properties: map[string]string{}}
	columns := rows.Columns()
	take := []any{&row.name, &row.flags}
	for _, c := range columns[min(2, len(columns)):] {
		take = append(take, holderOf(c.TypeInfo))
	}
	if !rows.Scan(take...) {
		return row, false
	}
	for i, c := range columns[2:] {
		if text := propertyText(take[i+2]); text != "" {
			row.properties[c.Name] = text
		}
	}
	return row, true
}

// holderOf returns what a property is scanned into; null stays nil.
func holderOf(t gocql.TypeInfo) any {
	switch t.Type() {
	case gocql.TypeBoolean:
		return new(*bool)
	case gocql.TypeInt:
		return new(*int)
	case gocql.TypeDouble:
		return new(*float64)
	case gocql.TypeMap:
		return new(map[string]string)
	}
	return new(*string)
}

// propertyText writes the value of a property as CQL does; "" is for null.
func propertyText(held any) string {
	switch v := held.(type) {
	case **bool:
		if *v != nil {
			return strconv.FormatBool(**v)
		}
	case **int:
		if *v != nil {
			return strconv.Itoa(**v)
		}
	case **float64:
		if *v != nil {
			return strconv.FormatFloat(**v, 'g', -1, 64)
		}
	case **string:
		if *v != nil {
			return model.QuoteText(**v)
		}
	case *map[string]string:
		if *v != nil {
			return mapText(*v)
		}
	}
	return ""
}

// mapText writes a CQL map with its keys sorted.
func mapText(m map[string]string) string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, model.QuoteText(key)+": "+model.QuoteText(m[key]))
	}
	return "{" + strings.Join(out, ", ") + "}"
}
