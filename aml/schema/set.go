package schema

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
)

// Settable returns why a column of a root cannot be set without a read of the row; "" if it can. It can be set if the rows of
// every copy are determined by the primary key, and their values of the column only by its new value.
func (t *Table) Settable(c *Column) string {
	return t.settable(c, func(p *Projection, d derivation) part { return d.whole(p.sourceIndex(c)) })
}

// settable returns why a part of a column cannot be set without a read of the row; "" if it can.
func (t *Table) settable(c *Column, of func(*Projection, derivation) part) string {
	if why := cmp.Or(c.unwritable(), t.copied(c), t.partial(c)); why != "" {
		return why
	}
	for _, p := range t.Projections {
		d := p.derivation()
		if why := d.settable(c, of(p, d)); why != "" {
			return why
		}
	}
	return ""
}

// unwritable returns why no method writes a column of a root alone; "" if a method can.
func (c *Column) unwritable() string {
	switch {
	case c.InKey():
		return "the key of a row cannot change"
	case c.Attribute.Fixed:
		return "it is final"
	}
	return ""
}

// copied returns why a column that is a copy of a field of another root, or the reference to that root, cannot be written without a read of
// it; "" if it can.
func (t *Table) copied(c *Column) string {
	switch x := t.Aggregate.FinalCopy(c.Attribute); {
	case x == nil:
		return ""
	case c.Attribute.Copy == x:
		return "it is a copy of a field of " + x.Target.Struct.Name
	default:
		return x.Fields[0].Held.GoName() + " is a copy of a field of the " + x.Target.Struct.Name + " that it refers to"
	}
}

// partial returns why a column of a root cannot be written without the rest of the row, whatever its copies are; "" if it can.
func (t *Table) partial(c *Column) string { return cmp.Or(grouped(c.Attribute), t.expires()) }

// grouped returns why a field depends on others of its struct; "" if it does not.
func grouped(a *model.Attribute) string {
	switch {
	case a.Disjunction != nil:
		return "it is an alternative of " + a.Disjunction.Name + ", and the other alternatives are unknown"
	case a.Alternative != nil:
		return "it belongs to the group " + a.Alternative.Name + ", and its other fields are unknown"
	}
	return ""
}

// expires returns why every write of a table writes the whole row; "" if it does not.
func (t *Table) expires() string {
	if t.Expires() {
		return "every write of " + t.Name + " writes the whole row, because it expires"
	}
	return ""
}

// settable returns why the rows of a copy are not determined by the key and a part of a column; "" if they are.
func (d derivation) settable(c *Column, changed part) string {
	touched := slices.ContainsFunc(d.Targets, func(t projection.Target) bool { return d.originates(&t.Origin, changed) })
	switch {
	case d.originates(&d.Exists, changed):
		return d.fixed(changed)
	case !touched:
		return ""
	case d.p.Table.Expires():
		return fmt.Sprintf("every write of %s writes whole rows, because they expire", d.p.Table.Name)
	case c.Kind == Static && (d.Loop >= 0 || d.Tests):
		return fmt.Sprintf("the rows of %s depend on more than the partition", d.p.Table.Name)
	}
	if why := d.fixed(changed); why != "" {
		return why
	}
	for k, t := range d.Targets {
		if o := d.otherOrigin(&t, changed); o != "" {
			return fmt.Sprintf("column %s of %s also derives from %s", model.Quote(d.p.Table.Ordered()[k].Name), d.p.Table.Name, o)
		}
	}
	return ""
}

// fixed returns why the rows that a copy has do not follow from the key alone when a part of a column changes; "" if they do.
func (d derivation) fixed(changed part) string {
	if d.originates(&d.Exists, changed) {
		return fmt.Sprintf("it determines which rows %s has", d.p.Table.Name)
	}
	if o := d.other(changed, &d.Exists); o != "" {
		return fmt.Sprintf("the rows of %s also depend on %s", d.p.Table.Name, o)
	}
	return ""
}

// otherOrigin returns another origin of a part of a column that derives from one part of the source; "" if it derives only from
// that part and the key.
func (d derivation) otherOrigin(t *projection.Target, of part) string {
	if t.Form != projection.ByField {
		if d.originates(&t.Origin, of) {
			return d.other(of, &t.Origin)
		}
		return ""
	}
	for _, f := range t.Fields {
		if d.originates(&f, of) || d.originates(&t.When, of) {
			if o := d.other(of, &f, &t.When); o != "" {
				return o
			}
		}
	}
	return ""
}

// other returns an origin of values other than the key and one part of the source, or "".
func (d derivation) other(but part, from ...*projection.Origin) string {
	columns := d.p.Source.Ordered()
	reads := func(of part) bool {
		return slices.ContainsFunc(from, func(o *projection.Origin) bool { return d.originates(o, of) })
	}
	for i := len(d.p.Source.Key()); i < len(columns); i++ {
		if i != but.column && reads(d.whole(i)) {
			return columns[i].Attribute.GoName()
		}
	}
	for u := d.Units[but.column]; u < d.Units[but.column+1]; u++ {
		if (u < but.first || u >= but.end) && reads(part{but.column, u, u + 1}) {
			return columns[but.column].Attribute.GoName() + "." + columns[but.column].Members()[u-d.Units[but.column]].GoName()
		}
	}
	for i, m := range d.p.Source.Computed {
		if slices.ContainsFunc(from, func(o *projection.Origin) bool { return o.Methods[i] }) {
			return "the method " + m.Method().Name
		}
	}
	return ""
}

// Members returns the fields of a column that is a UDT of several cells; nil for any other column.
func (c *Column) Members() []*model.Attribute {
	if c.Fields() == 0 {
		return nil
	}
	return c.Attribute.Type.Object.Attributes
}

// SetMember returns the name of the method that sets one field of a UDT: SetHomeCity.
func (c *Column) SetMember(m *model.Attribute) string {
	return "Set" + c.Attribute.GoName() + m.GoName()
}

// MemberSettable returns why a field of a UDT of a root, by its number, cannot be set without a read of the row; "" if it can.
func (t *Table) MemberSettable(c *Column, number int) string {
	m := c.Members()[number]
	switch {
	case m.Fixed:
		return "it is final"
	case grouped(m) != "":
		return grouped(m)
	}
	if why := c.absent(m); why != "" {
		return why
	}
	return t.settable(c, func(p *Projection, d derivation) part {
		i := p.sourceIndex(c)
		return part{i, d.Units[i] + number, d.Units[i] + number + 1}
	})
}

// absent returns why setting one field of a UDT that is or becomes null could result in a value that the model does not allow; ""
// if it cannot.
func (c *Column) absent(m *model.Attribute) string {
	a := c.Attribute
	if !a.Type.Nullable {
		return ""
	}
	for _, o := range c.Members() {
		if o != m && o.Mandatory {
			if a.Mandatory {
				return ""
			}
			return fmt.Sprintf("%s can be nil, and its field %s is required", a.GoName(), o.GoName())
		}
	}
	if a.Mandatory && !m.Mandatory {
		return fmt.Sprintf("%s is required, and all of its other fields can be absent", a.GoName())
	}
	return ""
}

// MemberCells returns the columns of a copy that a change of one field of a UDT writes.
func (p *Projection) MemberCells(c *Column, number int) (cells []*Column) {
	d := p.derivation()
	i := p.sourceIndex(c)
	of := part{i, d.Units[i] + number, d.Units[i] + number + 1}
	for k, t := range d.Targets {
		if d.originates(&t.Origin, of) {
			cells = append(cells, p.Table.Ordered()[k])
		}
	}
	return cells
}
