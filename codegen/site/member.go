package site

import (
	"html/template"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// memberView is a struct that an aggregate composes.
type memberView struct {
	ID, Name, Kind, UDT string
	Doc                 template.HTML
	Fields              []fieldView
	Docs                bool // true if a field has a meaning beyond its type
}

// member describes a struct that an aggregate composes.
func (b *builder) member(a *model.Aggregate, o *model.Object) memberView {
	m := memberView{ID: memberID(o), Name: name(o.Struct.Name), Kind: "value object", UDT: name(o.UDT), Doc: b.comments.html(o.Struct.Doc)}
	if o.Entity {
		m.Kind = "entity"
	}
	b.find(m.Name, m.Kind, b.names.objects[o], b.shownLabel())
	for _, at := range o.Attributes {
		if at.Hidden() {
			continue
		}
		f := b.newField(nil, at)
		f.ID = memberID(o) + "-" + anchor(strings.Join(at.Path, "."))
		f.Column.Name = name(at.Name)
		if slices.Contains(o.Identity, at) {
			f.Marks = append([]string{"identity"}, f.Marks...)
		}
		m.Fields = append(m.Fields, f)
		if main := b.names.aggregates[a] + "#"; b.names.objects[o] == main+m.ID { // other pages have the same struct
			b.find(f.Go, "field", main+f.ID, b.titled(m.Name))
		}
		m.Docs = m.Docs || f.Doc != "" || f.Marks != nil || f.Refers.Name != ""
	}
	return m
}
