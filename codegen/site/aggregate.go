package site

import (
	"html/template"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
)

// aggregateView is the page of an aggregate.
type aggregateView struct {
	Name       string
	Kind       string
	Of         ref // the source of a redundant aggregate, the root of a part
	Table      ref
	Key        string
	Doc        template.HTML
	Facts      []string
	Size       *sizeView
	Pictures   []pictureView
	Fields     []fieldView
	Derives    bool // true if a field has copies
	Comes      bool // true if a field comes from another
	Members    []memberView
	Copies     []copyView
	Parts      []ref
	Out        []referenceView
	In         []referenceView
	Uniques    []uniqueView
	Views      []viewView
	Operations []operationView
	Changes    []changeView
	No         []noView
	Warnings   []ignoreView
}

// copyView is a redundant aggregate of a root.
type copyView struct {
	Aggregate, Table ref
	Lines            []lineView
}

// uniqueView is a unique value.
type uniqueView struct {
	Fields string
	Table  ref
	Lines  []lineView
}

// viewView is a struct with some columns of a table.
type viewView struct {
	Name       string
	Doc        template.HTML
	Fields     []string
	Operations []operationView
	No         []noView
}

// changeView has the writes of a change of a field.
type changeView struct {
	Name  string
	Cost  string
	Lines []lineView
}

// aggregatePage computes the page of an aggregate.
func (b *builder) aggregatePage(a *model.Aggregate) *page {
	t, x := b.Schema.Table(a), b.storeTable(a)
	v := &aggregateView{Name: name(a.Struct.Name), Kind: aggregateKind(a), Of: b.parent(a), Table: b.table(t), Key: text(t.KeyText()), Doc: b.comments.html(a.Struct.Doc),
		Facts: newFacts(a, t), No: noMethods(x.No), Warnings: b.aggregateWarnings(a)}
	v.Size = b.newSize(a.Table)
	for _, at := range a.Attributes {
		if !at.Hidden() {
			v.Fields = append(v.Fields, b.field(a, at))
		}
	}
	v.Derives = slices.ContainsFunc(v.Fields, func(f fieldView) bool { return f.Derived != nil || f.Rows != nil })
	v.Comes = slices.ContainsFunc(v.Fields, func(f fieldView) bool { return f.From != nil })
	for _, o := range composedObjects(a.Attributes) {
		v.Members = append(v.Members, b.member(a, o))
	}
	for _, c := range x.Copies {
		v.Copies = append(v.Copies, copyView{b.aggregate(c.Table.Aggregate), b.table(c.Table), newLines(outline.Copy(c), 0)})
	}
	for _, p := range a.Parts {
		v.Parts = append(v.Parts, b.aggregate(p))
	}
	v.Out, v.In = b.references(a, t)
	for _, u := range x.Uniques {
		v.Uniques = append(v.Uniques, uniqueView{text(u.Fields), b.table(u.Table), newLines(outline.Unique(u), 1)})
	}
	for _, w := range b.explain.Views {
		if w.Aggregate == a {
			v.Views = append(v.Views, b.view(w))
		}
	}
	for _, o := range x.Operations {
		v.Operations = append(v.Operations, newOperation(o))
	}
	for _, f := range x.Fields {
		v.Changes = append(v.Changes, newChange(f))
	}
	v.Pictures = b.drawPictures(a)
	b.findAggregate(a, v)
	return &page{File: b.names.aggregates[a], Title: b.titled(v.Name), Template: "aggregate", View: v, Root: diagram.Root(a), Aggregate: a}
}

// findAggregate adds an aggregate to the search, with its fields, warnings, and the methods that write.
func (b *builder) findAggregate(a *model.Aggregate, v *aggregateView) {
	file, title := b.names.aggregates[a], b.titled(v.Name)
	b.find(v.Name, v.Kind, file, b.shownLabel())
	for _, f := range v.Fields {
		b.find(f.Go, "field", file+"#"+f.ID, title)
	}
	for _, o := range b.storeTable(a).Operations {
		if !reads(o) {
			b.find(name(o.Name), "method", file+"#methods", title)
		}
	}
	for _, w := range v.Warnings {
		b.find(w.Code+" "+w.Title, "warning", file+"#warnings", title)
	}
}

// parent returns the source of a redundant aggregate or the root of a part.
func (b *builder) parent(a *model.Aggregate) ref {
	switch {
	case !a.IsSource():
		return b.aggregate(a.Redundancy.Source)
	case a.Root != nil:
		return b.aggregate(a.Root)
	}
	return ref{}
}

// view describes a view of a table.
func (b *builder) view(w *explain.View) viewView {
	v := viewView{Name: name(w.Model.Struct.Name), Doc: b.comments.html(w.Model.Struct.Doc), No: noMethods(w.No)}
	for _, at := range w.Model.Attributes {
		v.Fields = append(v.Fields, name(at.GoName()))
	}
	for _, o := range w.Operations {
		v.Operations = append(v.Operations, newOperation(o))
	}
	return v
}

func newChange(f *explain.Field) changeView {
	v := changeView{name(strings.Join(f.Attribute.Path, ".")), "final: a change is refused", newLines(outline.Field(f), 1)}
	if f.Update != nil {
		v.Cost = text(outline.Sending(f.Update))
	}
	return v
}

// noView is a method that a store does not have.
type noView struct{ Name, Why string }

func noMethods(in []explain.NoMethod) (out []noView) {
	for _, m := range in {
		out = append(out, noView{name(m.Name), text(m.Why)})
	}
	return out
}
