package site

import (
	"html/template"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// fieldView is a field of an aggregate or of a struct that it composes.
type fieldView struct {
	ID      string
	Go      string
	Type    string
	Column  ref
	CQL     string
	Key     bool
	Marks   []string
	Refers  ref
	Doc     template.HTML
	From    []ref // where its value comes from
	Copy    []ref // the fields of other roots that it copies
	Derived []ref // the columns of copies that are derived from it, and of other roots that copy it
	Member  ref   // the struct of its values
	Rows    []ref // the copies in which it determines the rows that exist
}

// field describes a field of an aggregate.
func (b *builder) field(a *model.Aggregate, at *model.Attribute) fieldView {
	t := b.Schema.Table(a)
	f := b.newField(a, at)
	i := slices.IndexFunc(t.Columns, func(c *schema.Column) bool { return c.Attribute == at })
	if i < 0 {
		return f
	}
	c := t.Columns[i]
	f.Column = b.column(t, c)
	f.Column.Name = name(c.Name)
	f.CQL = text(c.Type.String())
	f.From, f.Copy = b.origins(at.Origin), b.copied(a, at)
	f.Rows, f.Derived = b.derived(t, c)
	return f
}

// newField describes a field without its column. The aggregate is nil for a field of a struct that aggregates compose.
func (b *builder) newField(a *model.Aggregate, at *model.Attribute) fieldView {
	goName := strings.Join(at.Path, ".")
	f := fieldView{ID: "field-" + anchor(goName), Go: name(goName), Key: at.Key, Doc: b.comments.html(fieldDoc(at)), CQL: text(at.Type.String())}
	for _, m := range newMarks(a, at) {
		f.Marks = append(f.Marks, text(m))
	}
	if at.Field != nil {
		f.Type = text(at.Field.Type.Text)
	}
	if at.Association != nil {
		f.Refers = b.aggregate(at.Association.Target)
	}
	if o := diagram.ComposedObject(at.Type); o != nil {
		f.Member = ref{name(o.Struct.Name), b.names.objects[o], true}
	}
	return f
}

// derived returns the copies of a table in which a column determines the rows that exist, and the columns of copies that are derived
// from it or copy it.
func (b *builder) derived(t *schema.Table, c *schema.Column) (rows, columns []ref) {
	for _, p := range t.Projections {
		if !c.InKey() && p.Effect(c).Exists {
			rows = append(rows, b.table(p.Table))
		}
		for _, x := range p.Deriving(c) {
			columns = append(columns, b.column(p.Table, x))
		}
	}
	if c.Attribute != nil {
		columns = append(columns, b.copiedTo(c.Attribute)...)
	}
	return rows, columns
}

// origins returns where a value of a redundant aggregate comes from.
func (b *builder) origins(o *model.Origin) (out []ref) {
	switch {
	case o == nil:
		return nil
	case o.Object == nil:
		return []ref{b.path(o.Path)}
	}
	for _, f := range o.Fields {
		out = append(out, b.origins(f)...)
	}
	return out
}

// path returns a link to the field of the source at the beginning of a path.
func (b *builder) path(p *model.Path) ref {
	r := ref{text(p.String()), b.names.aggregates[p.Source], true}
	if len(p.Steps) > 0 && p.Method() == nil && r.Href != "" {
		r.Href += "#field-" + anchor(strings.Join(p.Steps[0].Path, "."))
	}
	return r
}
