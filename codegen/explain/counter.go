package explain

// counts explains the operations of a table of counters.
func (x *explainer) counts() {
	t := x.table.Table
	for _, o := range []struct {
		name      string
		statement Statement
	}{{"Add", Statement{CQL: t.Add(), Verb: Updates}}, {"Delete", Statement{CQL: t.DeleteCounters(), Verb: Deletes}}} {
		request := newRequest([]*Write{rootWrite(t, o.statement)})
		x.table.Operations = append(x.table.Operations, &Operation{Name: o.name, RoundTrips: 1, Requests: []*Request{request}})
	}
}
