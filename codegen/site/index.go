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
	add := func(n int, one, many string) {
		switch n {
		case 0:
		case 1:
			out = append(out, countView{n, one})
		default:
			out = append(out, countView{n, many})
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
	add(count(func(a *model.Aggregate) bool { return rootOf(a) == a }), "root", "roots")
	add(count(func(a *model.Aggregate) bool { return a.Redundancy != nil }), "redundant aggregate", "redundant aggregates")
	add(count(func(a *model.Aggregate) bool { return a.IsSource() && a.Root != nil }), "part", "parts")
	add(len(b.Objects), "entity or value object", "entities and value objects")
	add(len(b.Schema.Tables), "table", "tables")
	add(len(b.Schema.Types), "user-defined type", "user-defined types")
	add(len(b.Schema.Views), "view", "views")
	add(b.explain.Statements(), "statement", "statements")
	add(len(b.Migrations), "migration", "migrations")
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
		v.Tables = append(v.Tables, b.queriesOf(x))
	}
	for _, x := range b.explain.Views {
		v.Tables = append(v.Tables, b.queriesOfView(x))
	}
	v.Tables = slices.DeleteFunc(v.Tables, func(q tableQueries) bool { return q.Queries == nil })
	for _, q := range v.Tables {
		for _, x := range q.Queries {
			b.find(q.Store+"."+x.Name, "query", "queries.html#"+q.ID, q.Of.Name)
		}
	}
	return v
}

func (b *builder) queriesOf(x *explain.Table) tableQueries {
	q := tableQueries{Store: name(x.GoName()), Table: b.table(x.Table), Of: b.aggregate(x.Aggregate), Key: text(outline.Key(x.Table))}
	return q.with(b, x.Operations)
}

func (b *builder) queriesOfView(x *explain.View) tableQueries {
	q := tableQueries{Store: name(x.Model.Struct.Name), Table: b.table(x.Table), Of: b.aggregate(x.Aggregate), Key: text(outline.Key(x.Table)), View: true}
	return q.with(b, x.Operations)
}

// with adds the operations that read.
func (q tableQueries) with(b *builder, operations []*explain.Operation) tableQueries {
	q.ID = "queries-" + anchor(b.Package.Name) + "-" + anchor(q.Store)
	if q.View {
		q.ID = "view-" + anchor(b.Package.Name) + "-" + anchor(q.Store)
	}
	for _, o := range operations {
		if reads(o) {
			q.Queries = append(q.Queries, queryOf(o))
		}
	}
	return q
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
