package explain

import "github.com/cassaml/cassaml/aml/schema"

// writes explains the operations of a root that take or give whole values.
func (x *explainer) writes() {
	t := x.table.Table
	load := readOf(t, t.Load())
	insert := x.whole(func(of *schema.Table) string { return of.Insert() }, false)
	put := &Operation{Name: "Put", RoundTrips: 1, Requests: []*Request{newRequest([]*Write{rootWrite(t, t.Insert())})}}
	remove := &Operation{Name: "Delete", RoundTrips: 1, Requests: []*Request{x.whole(func(of *schema.Table) string { return of.Delete() }, true)}}
	if len(x.table.Copies) > 0 {
		put = &Operation{Name: "Put", RoundTrips: 2, Requests: []*Request{load}, ByField: true, OrInsert: true}
		remove.RoundTrips, remove.Requests = 2, append([]*Request{load}, remove.Requests...)
	}
	x.table.Operations = append(x.table.Operations,
		&Operation{Name: "Insert", RoundTrips: 1, Requests: []*Request{insert}},
		put,
		&Operation{Name: "Update", RoundTrips: 2, Requests: []*Request{load}, ByField: true},
		&Operation{Name: "Change", RoundTrips: 1, ByField: true},
		remove)
}

// whole gives a request of one statement for every row of the aggregate.
func (x *explainer) whole(statement func(*schema.Table) string, deletes bool) *Request {
	t := x.table.Table
	writes := []*Write{rootWrite(t, statement(t))}
	writes[0].Whole = t.TTL > 0 && !deletes
	for _, c := range x.table.Copies {
		if deletes && c.shared() {
			continue
		}
		w := c.write()
		w.Whole = c.Table.TTL > 0 && !deletes
		w.Statements = []Statement{{CQL: statement(c.Table)}}
		writes = append(writes, w)
	}
	return newRequest(writes)
}

func (c *Copy) shared() bool { return c.Table.Aggregate.Redundancy.Shared }

// rootWrite writes the root's own row by one statement.
func rootWrite(t *schema.Table, cql string) *Write {
	return &Write{Table: t, Whole: t.TTL > 0, Statements: []Statement{{CQL: cql}}, sure: true}
}

// write begins a write to the rows of a copy.
func (c *Copy) write() *Write {
	place := c.Place()
	return &Write{Table: c.Table, Rows: c.Rows, When: c.When, Elsewhere: place != schema.WithSource, Each: place == schema.PerElement,
		sure: c.Rows.Per == "" && c.When == "", many: c.Rows.Per != "" && c.Rows.Max != 1}
}
