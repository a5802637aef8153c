package site

import (
	"slices"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
)

// queryView is a method of a store or of a view that reads.
type queryView struct {
	Name, Cost string
	CQL        []string
}

// newReads returns the methods that read, by the table that they read: methods of its own store, of its views, and of other
// stores, which follow a reference.
func newReads(e *explain.Explanation) map[string][]queryView {
	out := map[string][]queryView{}
	add := func(store, table string, own bool, operations []*explain.Operation) {
		for _, o := range operations {
			if !reads(o) {
				continue
			}
			for _, t := range tablesRead(o) {
				if (t == table) == own {
					out[t] = append(out[t], newQuery(t, store, o))
				}
			}
		}
	}
	for _, own := range []bool{true, false} {
		for _, x := range e.Tables {
			add(x.GoName(), x.Name, own, x.Operations)
		}
		for _, x := range e.Views {
			add(x.Model.Struct.Name, x.Name, own, x.Operations)
		}
	}
	return out
}

// tablesRead returns the tables that an operation reads.
func tablesRead(o *explain.Operation) (out []string) {
	for _, r := range o.Requests {
		for _, w := range r.Writes {
			if !slices.Contains(out, w.Table.Name) {
				out = append(out, w.Table.Name)
			}
		}
	}
	return out
}

// newQuery describes how a method reads a table.
func newQuery(table, store string, o *explain.Operation) queryView {
	q := queryView{Name: name(store + "." + o.Name), Cost: text(outline.Cost(o))}
	for _, r := range o.Requests {
		for _, w := range r.Writes {
			if w.Table.Name != table {
				continue
			}
			for _, s := range w.Statements {
				if !slices.Contains(q.CQL, text(s.CQL)) {
					q.CQL = append(q.CQL, text(s.CQL))
				}
			}
		}
	}
	return q
}
