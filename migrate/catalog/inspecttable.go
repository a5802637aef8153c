package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// columns reads the columns of all tables.
func (in *inspection) columns() error {
	var table, name, order, kind, of string
	var position int
	places := map[*schema.Column]int{}
	var fault error
	err := in.each("SELECT table_name, column_name, clustering_order, kind, position, type FROM system_schema.columns", func() {
		t, err := in.table(table)
		if err != nil || t == nil {
			fault = cmp.Or(fault, err)
			return
		}
		if classed(of) {
			in.leaveOut(t, name, of)
			return
		}
		c, err := columnOfRow(name, kind, order, of)
		if err != nil {
			fault = cmp.Or(fault, fmt.Errorf("table %s: %w", table, err))
			return
		}
		places[c] = position
		t.Columns = append(t.Columns, c)
	}, &table, &name, &order, &kind, &position, &of)
	if err = cmp.Or(err, fault); err != nil {
		return err
	}
	for _, t := range in.found.Tables {
		if err := arrange(t, places); err != nil {
			return err
		}
	}
	return nil
}

// classed reports whether a type is a class of the server, in quotes, as tables of Thrift have them.
func classed(of string) bool {
	return slices.ContainsFunc(lex.Words(of), func(w lex.Word) bool { return strings.HasPrefix(w.Text, "'") })
}

// leaveOut notes a table that has a column which CQL has no type for.
func (in *inspection) leaveOut(t *schema.Table, column, of string) {
	in.found.Tables = slices.DeleteFunc(in.found.Tables, func(x *schema.Table) bool { return x == t })
	in.apart[t.Name] = true
	in.note("table", model.Quote(t.Name), "", "it is left out: its column %s is of %s, a class of the server that CQL has no name for", model.Quote(column), of)
}

func columnOfRow(name, kind, order, of string) (*schema.Column, error) {
	k, known := projection.KindOf(kind)
	if !known {
		return nil, fmt.Errorf("column %s is of the kind %q, which is not known", name, kind)
	}
	t, err := ParseType(of)
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", name, err)
	}
	c := &schema.Column{Name: name, Type: t, Kind: k}
	if order == "desc" {
		c.Order = model.Descending
	}
	return c, nil
}

// arrange puts the key first, in its order, and behind it the other columns by their names, which is the order in which
// the server lists them.
func arrange(t *schema.Table, places map[*schema.Column]int) error {
	slices.SortStableFunc(t.Columns, func(a, b *schema.Column) int { return strings.Compare(a.Name, b.Name) })
	keys := func(kind schema.Kind) []*schema.Column {
		out := slices.DeleteFunc(slices.Clone(t.Columns), func(c *schema.Column) bool { return c.Kind != kind })
		slices.SortFunc(out, func(a, b *schema.Column) int { return places[a] - places[b] })
		return out
	}
	t.PartitionKey, t.ClusteringKey = keys(schema.PartitionKey), keys(schema.ClusteringKey)
	if len(t.PartitionKey) == 0 {
		return fmt.Errorf("table %s has gone while the schema was read: read it again", t.Name)
	}
	t.Columns = t.Ordered()
	return nil
}

// dropped reads the columns that tables had once. The server gives a user-defined type in them as the tuple of its fields.
func (in *inspection) dropped() error {
	var table, name, kind, of string
	var fault error
	err := in.each("SELECT table_name, column_name, kind, type FROM system_schema.dropped_columns", func() {
		t, err := in.table(table)
		if err != nil || t == nil || classed(of) {
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
