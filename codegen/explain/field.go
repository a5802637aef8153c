package explain

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

// fields explains the writes of a change of each field, and which fields have a Set method.
func (x *explainer) fields() {
	t := x.table.Table
	for _, c := range t.Ordered()[len(t.Key()):] {
		if d := c.Attribute.Disjunction; d != nil && d.Column == c.Attribute {
			continue // derived from the alternatives
		}
		f := &Field{Column: c, NoSet: t.Settable(c)}
		if !c.Attribute.Fixed {
			f.Update = x.update(c)
		}
		if f.NoSet == "" {
			f.Set = &Operation{Name: "Set" + c.Attribute.GoName(), RoundTrips: 1, Requests: []*Request{x.set(c)}}
		}
		f.Elements = x.elements(c)
		x.table.Fields = append(x.table.Fields, f)
	}
}

// update explains a change of one field of an existing row.
func (x *explainer) update(c *schema.Column) *Request {
	changed := x.with(c)
	writes := []*Write{x.root(c)}
	for _, copy := range x.table.Copies {
		if w := copy.update(changed, x.schema); w != nil {
			writes = append(writes, w)
		}
	}
	return newRequest(writes)
}

// with returns the columns that change with a field: of alternatives also the name of the one in use.
func (x *explainer) with(c *schema.Column) []*schema.Column {
	out := []*schema.Column{c}
	if d := c.Attribute.Disjunction; d != nil && d.Column != c.Attribute {
		i := slices.IndexFunc(x.table.Columns, func(o *schema.Column) bool { return o.Attribute == d.Column })
		out = append(out, x.table.Columns[i])
	}
	return out
}

const (
	byElements = "once for added and once for removed elements"
	byField    = "for the fields that change"
	ifNull     = "if the old or the new value is null"
	ifMoved    = "for the row under its new key"
	ifDeleted  = "for a deleted row"
	ifExisting = "for an existing row"
	ifAlone    = "if only this field changes"
	ifTogether = "if other fields change as well"
)

// root explains the effect of a changed column on the root's row.
func (x *explainer) root(c *schema.Column) *Write {
	t := x.table.Table
	w := rootWrite(t, Statement{CQL: t.Insert(), Verb: Inserts})
	update, with := t.Update(c, x.schema), x.with(c)
	switch {
	case t.Expires():
	case update == "":
		w.Statements = choice(t.Rewrite(c), t.Rewrite(with...))
	case c.Type.UDT:
		w.Statements = []Statement{{CQL: update, If: byField, Verb: Updates}, {CQL: t.Insert(), If: ifNull, Verb: Inserts}}
	default:
		w.Statements, w.many = []Statement{{CQL: update, If: byElements, Verb: Updates, Elements: c}}, true
		if len(with) > 1 {
			w.Statements = append(w.Statements, Statement{CQL: t.Rewrite(with[1:]...), If: "for the alternative in use", Verb: Inserts})
		}
	}
	w.Cells = []*schema.Column{c}
	return w
}

// choice explains the INSERT of a row if one column changes, alone or with others.
func choice(one, more string) []Statement {
	if one == more {
		return []Statement{{CQL: one, Verb: Inserts}}
	}
	return []Statement{{CQL: one, If: ifAlone, Verb: Inserts}, {CQL: more, If: ifTogether, Verb: Inserts}}
}

// update explains the effect of changed columns of the root on a copy; nil for no effect.
func (c *Copy) update(changed []*schema.Column, s *schema.Schema) *Write {
	e := c.Effect(changed...)
	if !e.Touched {
		return nil
	}
	own := c.Effect(changed[0])
	e.Moves = own.Moves // the alternative in use can stay the same
	w := c.write()
	w.Whole, w.Rows.Changed, w.Cells = e.Whole, e.Changed, e.Cells
	w.Spreads = e.Exists && w.Elsewhere && c.MovesPartition(changed...)
	w.RowEffect = rowEffect(e)
	w.Keeps = e.Exists && c.shared()
	w.many = w.many || e.Exists && !c.shared()
	w.sure = w.sure && own.Touched && c.always(changed[0], e) || !c.shared() && c.Owner() == nil && !c.Table.Expires() && (c.hasElements(changed[0]) || c.decided(changed[0]))
	c.statements(w, e, changed, s)
	return w
}

func rowEffect(e schema.Effect) RowEffect {
	switch {
	case e.Moves:
		return Moves
	case e.Exists:
		return Depends
	}
	return Stays
}

// always reports whether every change of a column changes the copy's row. Of a UDT, a field that the copy does not read can
// change. Of a row that expires, everything that the copy reads can stay the same.
func (c *Copy) always(column *schema.Column, e schema.Effect) bool {
	if c.Source.Expires() {
		return true
	}
	whole := slices.Contains(c.Columns, uint16(slices.Index(c.Source.Ordered(), column)))
	return whole || !e.Whole && !(column.Type.UDT && column.Type.MultiCell())
}

// hasElements reports whether each row belongs to an element of a column: of two different values, one has an element.
func (c *Copy) hasElements(column *schema.Column) bool {
	loop := c.Loop()
	return loop != nil && int(loop.Src) == slices.Index(c.Source.Ordered(), column) && column.Type.MultiCell() && c.When == ""
}

// decided reports whether a column alone determines that the copy's single row exists: of two different values, one has it.
func (c *Copy) decided(column *schema.Column) bool {
	r := c.Table.Aggregate.Redundancy
	when := r.When
	return c.Rows.Per == "" && when != nil && r.OneOf == nil && len(when.Steps) == 1 && when.Steps[0] == column.Attribute
}

// statements adds the statements for each row of a copy.
func (c *Copy) statements(w *Write, e schema.Effect, changed []*schema.Column, s *schema.Schema) {
	if !e.Moves && !e.Whole {
		for _, column := range e.Cells {
			if c.Writes(column) != schema.AsValue {
				w.part(c.Table.Update(column, s), column)
			}
		}
	}
	w.Statements = append(c.inserts(e, changed), w.Statements...)
	if e.Exists && !c.shared() {
		w.Statements = append(w.Statements, Statement{CQL: c.Table.Delete(), If: c.unowned(ifDeleted), Verb: Deletes})
	}
}

// inserts returns the INSERT statements, one of which is sent for a row of a copy.
func (c *Copy) inserts(e schema.Effect, changed []*schema.Column) (out []Statement) {
	whole := Statement{CQL: c.Table.Insert(), Verb: Inserts}
	if e.Moves && !e.Whole && !e.Changed && c.Rows.Per == "" {
		whole.If = ifMoved
	}
	if e.Exists || e.Whole {
		out = append(out, whole)
	}
	if e.Moves || e.Whole {
		return out
	}
	for _, set := range c.Rewrites(changed...) {
		one := Statement{CQL: c.Table.Rewrite(set...), If: ifTogether, Verb: Inserts}
		switch {
		case len(set) == 0:
			continue
		case one.CQL != whole.CQL && e.Exists:
			one.If, one.Case = ifExisting, StayingRow
		case one.CQL != whole.CQL:
			one.If = ifAlone
		case !slices.ContainsFunc(set, func(x *schema.Column) bool { return c.Writes(x) == schema.AsValue }):
			one.If = ifNull
		}
		if !slices.ContainsFunc(out, func(o Statement) bool { return o.CQL == one.CQL }) {
			out = append(out, one)
		}
	}
	if len(out) == 1 && out[0].If != ifNull && out[0].If != ifMoved {
		out[0].If, out[0].Case = "", AnyRow
	}
	return out
}

// part adds the statement that writes a part of a column.
func (w *Write) part(cql string, column *schema.Column) {
	if column.Type.UDT {
		w.Statements = append(w.Statements, Statement{CQL: cql, If: byField, Verb: Updates})
		w.many = w.many || len(w.Statements) > 1
		return
	}
	w.Statements, w.many = append(w.Statements, Statement{CQL: cql, If: byElements, Verb: Updates, Elements: column}), true
}
