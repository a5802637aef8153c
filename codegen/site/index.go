package site

import (
	"html/template"
	"path/filepath"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/diagram"
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
	Batch      *batchView
	ID         string // the end of identifiers of this package
}

// countView is a number of things.
type countView struct {
	Number int
	Noun   string
}

// rootView is a root with its aggregates and tables.
type rootView struct {
	ref
	Kind     string
	Synopsis template.HTML
	Table    ref
	Members  []rootView
}

func (b *builder) packageView() packageView {
	v := packageView{Name: b.label, Path: text(b.Package.Path), Doc: b.comments.html(b.Package.Doc), Counts: b.counts(), Statements: outline.Statements(b.explain), ID: anchor(b.label)}
	for _, a := range b.Aggregates {
		if diagram.Root(a) != a {
			continue
		}
		r := b.rootView(a)
		for _, m := range b.Aggregates {
			if m != a && diagram.Root(m) == a {
				r.Members = append(r.Members, b.rootView(m))
			}
		}
		v.Roots = append(v.Roots, r)
	}
	for _, d := range b.explain.Missing {
		v.Missing = append(v.Missing, text(d.What))
	}
	v.Batch = b.batch()
	v.Warnings = b.warnings()
	for _, w := range v.Warnings {
		b.find(w.Code+" "+w.Title, "warning", "index.html#warnings-"+v.ID, b.shownLabel())
	}
	return v
}

func (b *builder) rootView(a *model.Aggregate) rootView {
	return rootView{ref: b.aggregate(a), Kind: aggregateKind(a), Synopsis: b.comments.synopsis(a.Struct.Doc), Table: b.table(b.Schema.Table(a))}
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
	add(count(func(a *model.Aggregate) bool { return diagram.Root(a) == a }), "root", "roots")
	add(count(func(a *model.Aggregate) bool { return a.Redundancy != nil }), "redundant aggregate", "redundant aggregates")
	add(count(func(a *model.Aggregate) bool { return a.IsSource() && a.Root != nil }), "part", "parts")
	add(len(b.Objects), "entity or value object", "entities and value objects")
	add(len(b.Schema.Tables), "table", "tables")
	add(len(b.Schema.Types), "user-defined type", "user-defined types")
	add(len(b.Schema.Views), "view", "views")
	add(b.explain.Statements(), "CQL statement", "CQL statements")
	add(len(b.Migrations), "migration", "migrations")
	return out
}

// warnings returns all warnings of a package, with their places.
func (b *builder) warnings() (out []ignoreView) {
	for _, i := range b.Package.Ignores {
		p := i.Pos
		p.File = filepath.Base(p.File)
		out = append(out, ignoreView{name(i.Code), ruleTitle(i.Code), text(i.Reason), text(p.String()), true})
	}
	for _, d := range b.Warnings {
		p := d.Pos
		p.File = filepath.Base(p.File)
		out = append(out, ignoreView{d.Rule.Code, d.Rule.Title, text(d.What + "; " + d.Fix), text(p.String()), false})
	}
	return out
}
