package site

import (
	"html/template"
	"path/filepath"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
)

// firstView is the first page.
type firstView struct {
	Packages []packageView
	Pictures []pictureView
}

// packageView is a package on the first page.
type packageView struct {
	Name, Path string
	Doc        template.HTML
	Counts     []countView
	Roots      []rootView
	Missing    []string
	Warnings   []ignoreView
	Statements string
	Batch      []lineView
}

// countView is a number of things.
type countView struct {
	Number int
	Noun   string
}

// rootView is a root with what belongs to it.
type rootView struct {
	ref
	Kind, Synopsis string
	Table          ref
	Members        []rootView
}

func (b *builder) packageView() packageView {
	v := packageView{Name: name(b.Package.Name), Path: text(b.Package.Path), Doc: b.comments.html(b.Package.Doc), Counts: b.counts(), Statements: outline.Statements(b.explain)}
	for _, a := range b.Aggregates {
		if rootOf(a) != a {
			continue
		}
		r := b.rootView(a)
		for _, m := range b.Aggregates {
			if m != a && rootOf(m) == a {
				r.Members = append(r.Members, b.rootView(m))
			}
		}
		v.Roots = append(v.Roots, r)
	}
	for _, d := range b.explain.Missing {
		v.Missing = append(v.Missing, text(d.What))
	}
	if b.explain.Batch != nil {
		v.Batch = linesOf(outline.OfBatch(b.explain.Batch))[1:]
	}
	v.Warnings = b.warnings()
	return v
}

func (b *builder) rootView(a *model.Aggregate) rootView {
	return rootView{ref: b.aggregate(a), Kind: kindOf(a), Synopsis: b.comments.synopsis(a.Struct.Doc), Table: b.table(b.Schema.TableOf(a))}
}

// counts returns how many of each thing a model has.
func (b *builder) counts() (out []countView) {
	add := func(n int, noun string) {
		if n > 0 {
			out = append(out, countView{n, noun})
		}
	}
	count := func(is func(*model.Aggregate) bool) (n int) {
		for _, a := range b.Aggregates {
			if is(a) {
				n++
			}
		}
		return n
	}
	add(count(func(a *model.Aggregate) bool { return rootOf(a) == a }), "roots")
	add(count(func(a *model.Aggregate) bool { return a.Redundancy != nil }), "redundant aggregates")
	add(count(func(a *model.Aggregate) bool { return a.IsSource() && a.Root != nil }), "parts")
	add(len(b.Objects), "entities and value objects")
	add(len(b.Schema.Tables), "tables")
	add(len(b.Schema.Types), "user-defined types")
	add(len(b.Schema.Views), "views")
	add(b.explain.Statements(), "statements")
	add(len(b.Migrations), "migrations")
	return out
}

// warnings returns all warnings of a package, with their places.
func (b *builder) warnings() (out []ignoreView) {
	for _, i := range b.Package.Ignores {
		p := i.Pos
		p.File = filepath.Base(p.File)
		out = append(out, ignoreView{name(i.Code), titleOf(i.Code), text(i.Reason), text(p.String()), true})
	}
	for _, d := range b.Warnings {
		p := d.Pos
		p.File = filepath.Base(p.File)
		out = append(out, ignoreView{d.Rule.Code, d.Rule.Title, text(d.What + "; " + d.Fix), text(p.String()), false})
	}
	return out
}

// queriesView is the page of the queries.
type queriesView struct{ Packages []packageQueries }

type packageQueries struct {
	Name   string
	Tables []tableQueries
}

// tableQueries are the methods that read a table.
type tableQueries struct {
	ID, Store string
	Table, Of ref
	Key       string
	View      bool
	Queries   []queryView
}

// queryView is a method that reads.
type queryView struct {
	Name, Cost string
	CQL        []string
}

func (b *builder) queries() packageQueries {
	v := packageQueries{Name: name(b.Package.Name)}
	for _, x := range b.explain.Tables {
		q := tableQueries{Store: name(x.GoName()), Table: b.table(x.Table), Of: b.aggregate(x.Aggregate), Key: text(outline.Key(x.Table))}
		for _, o := range x.Operations {
			if reads(o) {
				q.Queries = append(q.Queries, queryOf(o))
				b.find(q.Store+"."+o.Name, "query", "queries.html#"+q.anchor(b), q.Of.Name)
			}
		}
		q.ID = q.anchor(b)
		v.Tables = append(v.Tables, q)
	}
	for _, w := range b.explain.Views {
		q := tableQueries{Store: name(w.Model.Struct.Name), Table: b.table(w.Table), Of: b.aggregate(w.Aggregate), Key: text(outline.Key(w.Table)), View: true}
		for _, o := range w.Operations {
			q.Queries = append(q.Queries, queryOf(o))
		}
		q.ID = q.anchor(b)
		v.Tables = append(v.Tables, q)
	}
	v.Tables = slices.DeleteFunc(v.Tables, func(q tableQueries) bool { return len(q.Queries) == 0 })
	return v
}

func (q tableQueries) anchor(b *builder) string {
	return "queries-" + anchor(b.Package.Name) + "-" + anchor(q.Store)
}

func queryOf(o *explain.Operation) queryView {
	q := queryView{Name: o.Name, Cost: text(outline.Cost(o))}
	for _, r := range o.Requests {
		for _, w := range r.Writes {
			for _, s := range w.Statements {
				q.CQL = append(q.CQL, text(s.CQL))
			}
		}
	}
	return q
}
