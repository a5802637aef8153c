package query

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// source is a field of the store that reads rows: a table, or a view of one.
type source struct {
	field string
	table *schema.Table
	view  *schema.View // nil for a table
}

// storeField returns the name of a table's field in the store.
func storeField(t *schema.Table) string {
	if t.Aggregate.InRootTable {
		return t.Aggregate.Struct.Name
	}
	return model.CamelCase(t.Name)
}

// all returns the tables of the store.
func (c Checker) all() (out []source) {
	for _, t := range c.Schema.Stored {
		if t.Aggregate != nil {
			out = append(out, source{field: storeField(t), table: t})
		}
	}
	return out
}

// views returns the views of the store.
func (c Checker) views() (out []source) {
	for _, v := range c.Schema.Views {
		out = append(out, source{v.Model.Struct.Name, v.Table, v})
	}
	return out
}

// aggregateSource returns the table of an aggregate.
func (c Checker) aggregateSource(a *model.Aggregate) source {
	all := c.all()
	return all[slices.IndexFunc(all, func(s source) bool { return s.table.Aggregate == a })]
}

// sources returns the sources that a name after FROM selects: the tables of that name, which are two if a root's table has the rows of a part, or
// the table of a struct, or a view.
func (c Checker) sources(n syntax.Name) []source {
	all := c.all()
	for _, is := range []func(source) bool{
		func(s source) bool { return s.view == nil && s.table.Name == n.Text },
		func(s source) bool { return s.structName() == n.Written },
		func(s source) bool { return strings.EqualFold(s.structName(), n.Written) },
	} {
		if found := slices.DeleteFunc(slices.Concat(all, c.views()), func(s source) bool { return !is(s) }); len(found) > 0 {
			return found
		}
	}
	return nil
}

func (s source) structName() string {
	if s.view != nil {
		return s.view.Model.Struct.Name
	}
	return s.table.Aggregate.Struct.Name
}

// unknown reports a name that is not a table.
func (k *check) unknown(n syntax.Name) {
	var names []string
	for _, s := range slices.Concat(k.all(), k.views()) {
		if s.view == nil {
			names = append(names, s.table.Name)
		}
		names = append(names, s.structName())
	}
	for _, t := range k.Schema.Tables {
		if t.Aggregate == nil && t.Name == n.Text {
			k.fault(n.From, RuleTable, "read the table of "+t.Derived.Struct.Name+" instead", "table %s belongs to the store, which has no method that reads it", n.Text)
			return
		}
	}
	k.fault(n.From, RuleTable, meant(n.Written, names), "there is no table and no aggregate %s in package %s", n.Written, k.Model.Package.Name)
}

// meant suggests one of some names.
func meant(name string, in []string) string {
	if best := model.Nearest(name, in); best != "" {
		return "did you mean " + best + "?"
	}
	return "the names are " + strings.Join(slices.Compact(in), ", ")
}

// column returns the column of a name: its name in CQL, or the Go name of its field; nil for none.
func (s source) column(n syntax.Name) *schema.Column {
	visible := s.columns()
	for _, is := range []func(*schema.Column) bool{
		func(c *schema.Column) bool { return c.Name == n.Text },
		func(c *schema.Column) bool { return c.Attribute.GoName() == n.Written },
		func(c *schema.Column) bool { return strings.EqualFold(c.Attribute.GoName(), n.Written) },
	} {
		if i := slices.IndexFunc(visible, is); i >= 0 {
			return visible[i]
		}
	}
	return nil
}

// columns returns the columns that the rows have in Go.
func (s source) columns() []*schema.Column {
	return slices.DeleteFunc(s.table.Ordered(), func(c *schema.Column) bool { return c.Attribute == nil })
}

// unknownColumn reports a name that is not a column of a table or view.
func (k *check) unknownColumn(n syntax.Name, in []source) {
	var names []string
	for _, of := range in {
		for _, c := range of.columns() {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	what := "table " + in[0].table.Name
	if in[0].view != nil {
		what = "view " + in[0].field
	}
	k.fault(n.From, RuleColumn, meant(n.Written, names), "%s has no column %s", what, n.Written)
}

// sourceRoot returns the source of an aggregate, or the aggregate itself.
func sourceRoot(a *model.Aggregate) *model.Aggregate {
	if a.Redundancy != nil {
		return a.Redundancy.Source
	}
	return a
}
