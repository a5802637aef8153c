package schema

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// Settable returns why a column of a root cannot be given a value without reading the row; "" when it can. It can where
// the rows of every copy follow from the primary key, and what they hold of the column from its value alone.
func (t *Table) Settable(c *Column) string {
	a := c.Attribute
	switch {
	case c.Kind == PartitionKey || c.Kind == ClusteringKey:
		return "the key of a row cannot change"
	case a.Disjunction != nil:
		return "it is one of the alternatives " + a.Disjunction.Name + ", and the others are not known"
	case a.Alternative != nil:
		return "it is one of the group " + a.Alternative.Name + ", and the others are not known"
	case t.TTL > 0:
		return "every write of " + t.Name + " writes the whole row, because it expires"
	}
	for _, p := range t.Projections {
		if why := p.settable(c); why != "" {
			return why
		}
	}
	return ""
}

// settable returns why the rows of a copy do not follow from the key and a column; "" when they do.
func (p *Projection) settable(c *Column) string {
	f := trace(p, false)
	changed := slices.Index(p.Source.Ordered(), c)
	touched := slices.ContainsFunc(f.columns, func(s sources) bool { return s.any()[changed] })
	switch {
	case f.exists[changed]:
		return fmt.Sprintf("which rows %s has depends on it", p.Table.Name)
	case !touched:
		return ""
	case p.Table.TTL > 0:
		return fmt.Sprintf("every write of %s writes whole rows, because they expire", p.Table.Name)
	case c.Kind == Static && (f.loop || f.needs):
		return fmt.Sprintf("which rows %s has depends on more than the partition", p.Table.Name)
	}
	if o := p.other(f.exists, changed); o != "" {
		return fmt.Sprintf("which rows %s has depends on %s, too", p.Table.Name, o)
	}
	for k, s := range f.columns {
		for _, part := range s {
			if o := p.other(part, changed); part[changed] && o != "" {
				return fmt.Sprintf("column %s of %s is made of %s, too", model.Quote(p.Table.Ordered()[k].Name), p.Table.Name, o)
			}
		}
	}
	return ""
}

// other names something beside the key and one column; "" when there is nothing.
func (p *Projection) other(in source, but int) string {
	columns := p.Source.Ordered()
	for i := len(p.Source.Key()); i < len(columns)+len(p.Source.Computed); i++ {
		if !in[i] || i == but {
			continue
		}
		if i >= len(columns) {
			return "the method " + p.Source.Computed[i-len(columns)].Method().Name
		}
		return columns[i].Attribute.GoName()
	}
	return ""
}
