package schema

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Counters returns the counters of a table in the order of the runtime; none if it is not a table of counters.
func (t *Table) Counters() (out []*Column) {
	for _, c := range t.Ordered() {
		if c.Type.Counter() {
			out = append(out, c)
		}
	}
	return out
}

// Add renders the UPDATE that adds to all counters of a row. A server accepts neither a timestamp nor a TTL for counters.
func (t *Table) Add() string {
	var sums []string
	for _, n := range Names(t.Counters()) {
		sums = append(sums, n+" = "+n+" + ?")
	}
	return "UPDATE " + model.Quote(t.Name) + " SET " + strings.Join(sums, ", ") + " WHERE " + where(t.Key())
}

// DeleteCounters renders the deletion of one row of counters.
func (t *Table) DeleteCounters() string {
	return "DELETE FROM " + model.Quote(t.Name) + " WHERE " + where(t.Key())
}
