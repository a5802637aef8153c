package site

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
)

// queriesView is the page of the queries.
type queriesView struct{ Packages []packageQueries }

type packageQueries struct {
	Name   string
	Tables []tableQueries
}

// tableQueries are the methods that read a table.
type tableQueries struct {
	ID      string
	Table   ref
	Of      []ref
	Key     string
	Queries []queryView
}

// queryView is a method of a store that reads, or that of a view.
type queryView struct {
	Name, Cost string
	CQL        []string
}

// queries returns the methods that read, by the table that they read.
func (b *builder) queries() packageQueries {
	v := packageQueries{Name: name(b.Package.Name)}
	for _, t := range b.Schema.Tables {
		q := tableQueries{ID: "queries-" + anchor(b.Package.Name) + "-" + anchor(t.Name), Table: b.table(t), Of: b.owners(t), Key: text(outline.Key(t)), Queries: b.reading(t)}
		if q.Queries == nil {
			continue
		}
		v.Tables = append(v.Tables, q)
		for _, x := range q.Queries {
			b.find(x.Name, "query", "queries.html#"+q.ID, q.Table.Name)
		}
	}
	return v
}

// reading returns the methods that read a table: those of its own store, those of its views, and those of other stores that follow a
// reference.
func (b *builder) reading(t *schema.Table) (out []queryView) {
	add := func(store string, operations []*explain.Operation) {
		for _, o := range operations {
			if q := queryOf(t, store, o); reads(o) && q.CQL != nil {
				out = append(out, q)
			}
		}
	}
	own := func(x *explain.Table) bool { return x.Name == t.Name }
	for _, first := range []bool{true, false} {
		for _, x := range b.explain.Tables {
			if own(x) == first {
				add(x.GoName(), x.Operations)
			}
		}
	}
	for _, x := range b.explain.Views {
		add(x.Model.Struct.Name, x.Operations)
	}
	return out
}

// queryOf describes how a method reads a table. It has no statements if the method does not.
func queryOf(t *schema.Table, store string, o *explain.Operation) queryView {
	q := queryView{Name: name(store + "." + o.Name), Cost: text(outline.Cost(o))}
	for _, r := range o.Requests {
		for _, w := range r.Writes {
			if w.Table.Name != t.Name {
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
