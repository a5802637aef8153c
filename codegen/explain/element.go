package explain

import "github.com/cassaml/cassaml/aml/schema"

// elements explains the methods for one field of a column, or for one of its elements.
func (x *explainer) elements(c *schema.Column) (out []*Element) {
	t := x.table.Table
	for i, m := range c.Members() {
		if m.Hidden() {
			continue
		}
		e := &Element{Name: c.SetMember(m), No: t.MemberSettable(c, i)}
		if e.No == "" {
			e.Operation = &Operation{Name: e.Name, RoundTrips: 1, Requests: []*Request{x.member(c, i)}}
		}
		out = append(out, e)
	}
	switch {
	case !c.HasElements():
	case c.IsList():
		way := t.Extendable(c)
		out = append(out, x.element(c.AppendMethod(), way, x.extend(c, false)), x.element(c.PrependMethod(), way, x.extend(c, true)))
	default:
		out = append(out, x.element(c.AddMethod(), t.Addable(c), x.elementRequest(c, true)), x.element(c.RemoveMethod(), t.Removable(c), x.elementRequest(c, false)))
	}
	return out
}

// element explains a method for one element, which sends a request if it does not read the row first.
func (x *explainer) element(name string, way schema.Way, request *Request) *Element {
	e := &Element{Name: name, No: way.No, Reads: way.Reads}
	load := newRead(x.table.Table, x.table.Shown(x.table.Load()))
	switch {
	case way.No != "":
	case way.Reads == "":
		e.Operation = &Operation{Name: name, RoundTrips: 1, Requests: []*Request{request}}
	case request.Writes[0].Cells[0].IsList():
		e.Operation = &Operation{Name: name, RoundTrips: 2, Requests: []*Request{load, request}}
	default:
		e.Operation = &Operation{Name: name, RoundTrips: 2, Requests: []*Request{load}, ByField: true, Checks: x.checks()}
	}
	return e
}

// extend adds an element to a list, which no copy has.
func (x *explainer) extend(c *schema.Column, front bool) *Request {
	w := rootWrite(x.table.Table, Statement{CQL: x.table.Extend(c, front), Verb: Updates, Elements: c})
	w.Cells = []*schema.Column{c}
	return newRequest([]*Write{w})
}

// member sets one field of a UDT, and writes the derived cells of the copies.
func (x *explainer) member(c *schema.Column, number int) *Request {
	writes := []*Write{rootWrite(x.table.Table, Statement{CQL: x.table.Update(c, x.schema), Verb: Updates})}
	writes[0].Cells = []*schema.Column{c}
	for _, copy := range x.table.Copies {
		if cells := copy.MemberCells(c, number); cells != nil {
			writes = append(writes, copy.set(c, cells, inserter(c), x.schema))
		}
	}
	return newRequest(writes)
}

// elementRequest adds an element to the root's row, or removes it, and writes or deletes its rows in the copies. A copy that has the
// whole collection gets the same change.
func (x *explainer) elementRequest(c *schema.Column, add bool) *Request {
	writes := []*Write{rootWrite(x.table.Table, Statement{CQL: x.table.Update(c, x.schema), Verb: Updates, Elements: c})}
	writes[0].Cells = []*schema.Column{c}
	for _, copy := range x.table.Copies {
		switch e := copy.Effect(c); {
		case !e.Touched:
		case !e.Exists:
			writes = append(writes, copy.sameElement(e.Cells, x.schema))
		case add:
			writes = append(writes, copy.elementRow(Statement{CQL: copy.Table.Insert(), Verb: Inserts}))
		case !copy.shared():
			writes = append(writes, copy.elementRow(Statement{CQL: copy.Table.Delete(), Verb: Deletes}))
		}
	}
	return newRequest(writes)
}

// sameElement changes the columns of a copy with the whole collection.
func (c *Copy) sameElement(cells []*schema.Column, s *schema.Schema) *Write {
	w := c.write()
	w.Cells = cells
	for _, x := range cells {
		w.Statements = append(w.Statements, Statement{CQL: c.Table.Update(x, s), Verb: Updates, Elements: x})
	}
	w.many = len(cells) > 1
	return w
}

// elementRow writes or deletes the row of one element.
func (c *Copy) elementRow(s Statement) *Write {
	w := c.write()
	w.Rows, w.Each, w.sure, w.many = Rows{}, false, true, false
	w.Statements = []Statement{s}
	return w
}
