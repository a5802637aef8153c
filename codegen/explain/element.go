package explain

import "github.com/cassaml/cassaml/aml/schema"

// element explains a method that adds or removes one element of a column; no is why there is none.
func (x *explainer) element(name, no string, c *schema.Column, add bool) *Element {
	e := &Element{Name: name, No: no}
	if no == "" {
		e.Operation = &Operation{Name: name, RoundTrips: 1, Requests: []*Request{x.elementRequest(c, add)}}
	}
	return e
}

// elementRequest adds an element to the root's row, or removes it, and writes or deletes its rows in the copies. A copy that has the
// whole collection gets the same change.
func (x *explainer) elementRequest(c *schema.Column, add bool) *Request {
	writes := []*Write{rootWrite(x.table.Table, x.table.Update(c, x.schema))}
	writes[0].Cells = []*schema.Column{c}
	for _, copy := range x.table.Copies {
		switch e := copy.Effect(c); {
		case !e.Touched:
		case !e.Exists:
			writes = append(writes, copy.sameElement(e.Cells, x.schema))
		case add:
			writes = append(writes, copy.elementRow(copy.Table.Insert()))
		case !copy.shared():
			writes = append(writes, copy.elementRow(copy.Table.Delete()))
		}
	}
	return newRequest(writes)
}

// sameElement changes the columns of a copy with the whole collection.
func (c *Copy) sameElement(cells []*schema.Column, s *schema.Schema) *Write {
	w := c.write()
	w.Cells = cells
	for _, x := range cells {
		w.Statements = append(w.Statements, Statement{CQL: c.Table.Update(x, s)})
	}
	w.many = len(cells) > 1
	return w
}

// elementRow writes or deletes the row of one element.
func (c *Copy) elementRow(cql string) *Write {
	w := c.write()
	w.Rows, w.Each, w.sure, w.many = Rows{}, false, true, false
	w.Statements = []Statement{{CQL: cql}}
	return w
}
