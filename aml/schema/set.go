package schema

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
)

// Settable returns why a column of a root cannot be set without a read of the row; "" if it can. It can be set if the rows of
// every copy are determined by the primary key, and their values of the column only by its new value.
func (t *Table) Settable(c *Column) string {
	if why := t.writable(c); why != "" {
		return why
	}
	for _, p := range t.Projections {
		if why := p.settable(c); why != "" {
			return why
		}
	}
	return ""
}

// writable returns why a column of a root cannot be written without the rest of the row, whatever its copies are; "" if it can.
func (t *Table) writable(c *Column) string {
	a := c.Attribute
	switch {
	case c.Kind == PartitionKey || c.Kind == ClusteringKey:
		return "the key of a row cannot change"
	case a.Fixed:
		return "it is final"
	case a.Disjunction != nil:
		return "it is an alternative of " + a.Disjunction.Name + ", and the other alternatives are unknown"
	case a.Alternative != nil:
		return "it belongs to the group " + a.Alternative.Name + ", and its other fields are unknown"
	case t.Expires():
		return "every write of " + t.Name + " writes the whole row, because it expires"
	}
	return ""
}

// settable returns why the rows of a copy are not determined by the key and a column; "" if they are.
func (p *Projection) settable(c *Column) string {
	d, changed := p.derivation(), p.sourceIndex(c)
	touched := slices.ContainsFunc(d.Targets, func(t projection.Target) bool { return d.derives(&t.Origin, changed) })
	switch {
	case d.derives(&d.Exists, changed):
		return d.fixed(changed)
	case !touched:
		return ""
	case p.Table.Expires():
		return fmt.Sprintf("every write of %s writes whole rows, because they expire", p.Table.Name)
	case c.Kind == Static && (d.Loop >= 0 || d.Tests):
		return fmt.Sprintf("the rows of %s depend on more than the partition", p.Table.Name)
	}
	if why := d.fixed(changed); why != "" {
		return why
	}
	for k, t := range d.Targets {
		if o := d.otherOrigin(&t, changed); o != "" {
			return fmt.Sprintf("column %s of %s also derives from %s", model.Quote(p.Table.Ordered()[k].Name), p.Table.Name, o)
		}
	}
	return ""
}

// fixed returns why the rows that a copy has do not follow from the key alone when a column changes; "" if they do.
func (d derivation) fixed(changed int) string {
	if d.derives(&d.Exists, changed) {
		return fmt.Sprintf("it determines which rows %s has", d.p.Table.Name)
	}
	if o := d.other(changed, &d.Exists); o != "" {
		return fmt.Sprintf("the rows of %s also depend on %s", d.p.Table.Name, o)
	}
	return ""
}

// otherOrigin returns another origin of a part of a column that derives from one column of the source; "" if it derives only from that
// column and the key.
func (d derivation) otherOrigin(t *projection.Target, of int) string {
	if t.Form != projection.ByField {
		if d.derives(&t.Origin, of) {
			return d.other(of, &t.Origin)
		}
		return ""
	}
	for _, f := range t.Fields {
		if d.derives(&f, of) || d.derives(&t.When, of) {
			if o := d.other(of, &f, &t.When); o != "" {
				return o
			}
		}
	}
	return ""
}

// other returns an origin of values other than the key and one column; "" if there is none.
func (d derivation) other(but int, from ...*projection.Origin) string {
	columns := d.p.Source.Ordered()
	for i := len(d.p.Source.Key()); i < len(columns); i++ {
		if i != but && slices.ContainsFunc(from, func(o *projection.Origin) bool { return d.derives(o, i) }) {
			return columns[i].Attribute.GoName()
		}
	}
	for i, m := range d.p.Source.Computed {
		if slices.ContainsFunc(from, func(o *projection.Origin) bool { return o.Methods[i] }) {
			return "the method " + m.Method().Name
		}
	}
	return ""
}
