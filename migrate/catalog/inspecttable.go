package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/lex"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// columns reads the columns of all tables.
func (in *inspection) columns() error {
	all, err := in.Columns(in.ctx, "")
	if err != nil {
		return err
	}
	places := map[*schema.Column]int{}
	for _, row := range all {
		t, err := in.table(row.Table)
		switch {
		case err != nil:
			return err
		case t == nil:
			continue
		case hasQuotedClass(row.Type):
			in.omit(t, row.Name, row.Type)
			continue
		}
		c, err := columnOfRow(row.Name, row.Kind, row.Order, row.Type)
		if err != nil {
			return fmt.Errorf("table %s: %w", row.Table, err)
		}
		places[c] = row.Position
		t.Columns = append(t.Columns, c)
	}
	for _, t := range in.found.Tables {
		if err := sortColumns(t, places); err != nil {
			return err
		}
	}
	return nil
}

// hasQuotedClass reports whether a type contains a quoted class of the server, as in tables of Thrift.
func hasQuotedClass(of string) bool {
	return slices.ContainsFunc(lex.Words(of), func(w lex.Word) bool { return strings.HasPrefix(w.Text, "'") })
}

// omit omits a table with a column that has no CQL type, and adds a note.
func (in *inspection) omit(t *schema.Table, column, of string) {
	in.found.Tables = slices.DeleteFunc(in.found.Tables, func(x *schema.Table) bool { return x == t })
	in.omitted[t.Name] = true
	in.note("table", model.Quote(t.Name), "", "omitted: the type of its column %s is %s, a class of the server without a name in CQL", model.Quote(column), of)
}

func columnOfRow(name, kind, order, of string) (*schema.Column, error) {
	k, known := projection.ParseKind(kind)
	if !known {
		return nil, fmt.Errorf("column %s has the unknown kind %q", name, kind)
	}
	t, err := ddl.ParseType(of)
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", name, err)
	}
	c := &schema.Column{Name: name, Type: t, Kind: k}
	if order == "desc" {
		c.Order = model.Descending
	}
	return c, nil
}

// sortColumns puts the key first, in its order, and then the other columns by name. The server lists them in this order.
func sortColumns(t *schema.Table, places map[*schema.Column]int) error {
	slices.SortStableFunc(t.Columns, func(a, b *schema.Column) int { return strings.Compare(a.Name, b.Name) })
	keys := func(kind schema.Kind) []*schema.Column {
		out := slices.DeleteFunc(slices.Clone(t.Columns), func(c *schema.Column) bool { return c.Kind != kind })
		slices.SortFunc(out, func(a, b *schema.Column) int { return places[a] - places[b] })
		return out
	}
	t.PartitionKey, t.ClusteringKey = keys(schema.PartitionKey), keys(schema.ClusteringKey)
	if len(t.PartitionKey) == 0 {
		return fmt.Errorf("table %s was dropped while the schema was read: read it again", t.Name)
	}
	t.Columns = t.Ordered()
	return nil
}

// dropped reads the dropped columns. In their types the server has replaced each user-defined type by the tuple of its fields.
func (in *inspection) dropped() error {
	var table, name, kind, of string
	var fault error
	err := in.each("SELECT table_name, column_name, kind, type FROM system_schema.dropped_columns", func() {
		t, err := in.table(table)
		if err != nil || t == nil || hasQuotedClass(of) {
			fault = cmp.Or(fault, err)
			return
		}
		c, err := columnOfRow(name, kind, "", of)
		if err != nil {
			fault = cmp.Or(fault, fmt.Errorf("table %s, dropped: %w", table, err))
			return
		}
		in.found.drop(table, c)
	}, &table, &name, &kind, &of)
	return cmp.Or(err, fault)
}

// types reads the user-defined types, and puts each after the types that it uses.
func (in *inspection) types() error {
	rows, err := in.Types(in.ctx, "")
	if err != nil {
		return err
	}
	var all []*schema.UDT
	for _, row := range rows {
		u := &schema.UDT{Name: row.Name}
		for i, name := range row.Fields {
			t, err := ddl.ParseType(row.Types[i])
			if err != nil {
				return fmt.Errorf("type %s, field %s: %w", row.Name, name, err)
			}
			u.Fields = append(u.Fields, &schema.Field{Name: name, Type: t})
		}
		all = append(all, u)
	}
	in.found.Types = inOrder(all)
	return nil
}

// inOrder sorts types by name, but each after the types that it uses.
func inOrder(all []*schema.UDT) []*schema.UDT {
	slices.SortFunc(all, func(a, b *schema.UDT) int { return strings.Compare(a.Name, b.Name) })
	var out []*schema.UDT
	var visit func(u *schema.UDT)
	visit = func(u *schema.UDT) {
		if slices.Contains(out, u) {
			return
		}
		for _, f := range u.Fields {
			for _, o := range all {
				if o != u && slices.Contains(names(f.Type), o.Name) {
					visit(o)
				}
			}
		}
		out = append(out, u)
	}
	for _, u := range all {
		visit(u)
	}
	return out
}

// indexes reads the indexes of all tables.
func (in *inspection) indexes() error {
	all, err := in.Indexes(in.ctx, "")
	if err != nil {
		return err
	}
	for _, i := range all {
		t, err := in.table(i.Table)
		if err != nil {
			return err
		}
		if t != nil {
			in.index(t, i.Name, i.Kind, i.Options)
		}
	}
	return nil
}

func (in *inspection) index(t *schema.Table, name, kind string, options map[string]string) {
	class := indexname.Legacy
	if kind == "CUSTOM" {
		class = indexClass(options["class_name"])
	}
	i := &schema.Index{Name: name, Target: options["target"], Options: indexOptions(options), Class: class}
	t.Indexes = append(t.Indexes, i)
	if class != "" && class != indexname.Legacy && class != "SASIIndex" {
		in.note("index", model.Quote(name), t.Name, "its class is not part of Cassandra: %s", customIndex(t, i, options["class_name"]))
	}
}

// customIndex returns the statement that creates an index with the full name of its class.
func customIndex(t *schema.Table, i *schema.Index, class string) string {
	return fmt.Sprintf("CREATE CUSTOM INDEX %s ON %s (%s) USING %s%s", model.Quote(i.Name), model.Quote(t.Name), i.Target, model.QuoteText(class), i.With())
}

// noProperty are the columns of system_schema.tables that no statement sets, or that servers ignore.
var noProperty = []string{"keyspace_name", "table_name", "id", "flags", "extensions", "dclocal_read_repair_chance", "read_repair_chance"}

// tables reads the tables of the keyspace and their properties.
func (in *inspection) tables() error {
	there, err := in.systemColumns("tables")
	if err != nil {
		return err
	}
	there = slices.DeleteFunc(there, func(c string) bool { return slices.Contains(noProperty, c) })
	err = in.Tables(in.ctx, there, func(name string, flags []string, values []any) error {
		row := tableRow{name, flags, map[string]string{}}
		for i, v := range values {
			if text := propertyText(v); text != "" {
				row.properties[there[i]] = text
			}
		}
		return in.addTable(row)
	})
	if err != nil {
		return err
	}
	slices.SortFunc(in.found.Tables, func(a, b *schema.Table) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// addTable adds the table of a row, or a note why it is omitted.
func (in *inspection) addTable(row tableRow) error {
	if slices.Contains(owned, row.name) {
		return nil
	}
	if reason := row.omitted(); reason != "" {
		in.omitted[row.name] = true
		in.note("table", model.Quote(row.name), "", "omitted: %s", reason)
		return nil
	}
	t, err := row.table()
	if err != nil {
		return fmt.Errorf("table %s: %w", row.name, err)
	}
	in.found.Tables = append(in.found.Tables, t)
	return nil
}

// tableRow is a row of system_schema.tables.
type tableRow struct {
	name       string
	flags      []string
	properties map[string]string // the values in CQL, without those that are null
}

// omitted returns why the table cannot be a part of a model; "" if it can.
func (r tableRow) omitted() string {
	switch {
	case r.compact():
		return "it has compact storage, like tables of Thrift; ALTER TABLE … DROP COMPACT STORAGE removes that"
	case strings.HasPrefix(r.name, reserved) && r.name != descriptor.Outboxes:
		return "names that begin with aml_ are reserved for the tool"
	}
	return ""
}

// compact reports whether the table has compact storage, which CQL does not show as it is stored.
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

// propertyText returns the value of a property in CQL; "" for null.
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
