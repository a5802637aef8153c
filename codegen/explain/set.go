package explain

import "github.com/cassaml/cassaml/aml/schema"

// set explains the Set method of a column: the root's row, and the row of each copy with the column.
func (x *explainer) set(c *schema.Column) *Request {
	insert := inserter(c)
	writes := []*Write{rootWrite(x.table.Table, Statement{CQL: insert(x.table.Table, c), Verb: Inserts})}
	for _, copy := range x.table.Copies {
		if e := copy.Effect(c); e.Touched {
			writes = append(writes, copy.set(c, e.Cells, insert, x.schema))
		}
	}
	return newRequest(writes)
}

// set writes the copied values of a column: the fields of a UDT with its UPDATE, unless the column determines whether there is
// a value at all, and everything else with the INSERT.
func (c *Copy) set(column *schema.Column, cells []*schema.Column, insert func(*schema.Table, ...*schema.Column) string, s *schema.Schema) *Write {
	w := c.write()
	w.Cells = cells
	var updates []Statement
	var values []*schema.Column
	for _, x := range cells {
		if x.Type.UDT && c.Writes(x) != schema.AsValue && !c.Decides(x, column) {
			updates = append(updates, Statement{CQL: c.Table.Update(x, s), Verb: Updates})
		} else {
			values = append(values, x)
		}
	}
	if len(values) > 0 {
		w.Statements = []Statement{{CQL: insert(c.Table, values...), Verb: Inserts}}
	}
	w.Statements = append(w.Statements, updates...)
	w.many = w.many || len(w.Statements) > 1
	return w
}

// inserter returns the function that renders the INSERT of columns that have the kind of a column.
func inserter(c *schema.Column) func(*schema.Table, ...*schema.Column) string {
	if c.Kind == schema.Static {
		return func(t *schema.Table, _ ...*schema.Column) string { return t.InsertStatic() }
	}
	return (*schema.Table).Rewrite
}
