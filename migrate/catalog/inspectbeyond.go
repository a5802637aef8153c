package catalog

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// views notes the materialized views, whose columns stand among those of tables.
func (in *inspection) views() error {
	var view, base, where string
	return in.each("SELECT view_name, base_table_name, where_clause FROM system_schema.views", func() {
		in.apart[view] = true
		in.note("materialized view", model.Quote(view), base, "of table %s where %s; a redundant aggregate would be written with its source", model.Quote(base), where)
	}, &view, &base, &where)
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
func (in *inspection) systemColumns(table string) ([]string, error) {
	var name string
	var out []string
	err := in.rows("SELECT column_name FROM system_schema.columns WHERE keyspace_name = 'system_schema' AND table_name = ?", []any{table},
		func() { out = append(out, name) }, &name)
	slices.Sort(out)
	return out, err
}

func compareNotes(a, b Note) int {
	if c := strings.Compare(a.Object, b.Object); c != 0 {
		return c
	}
	return strings.Compare(a.Name, b.Name)
}
