package explain

// counts explains the operations of a table of counters.
func (x *explainer) counts() {
	t := x.table.Table
	for _, o := range []struct{ name, cql string }{{"Add", t.Add()}, {"Delete", t.DeleteCounters()}} {
		request := newRequest([]*Write{rootWrite(t, o.cql)})
		x.table.Operations = append(x.table.Operations, &Operation{Name: o.name, RoundTrips: 1, Requests: []*Request{request}})
	}
}
