package site

import (
	"html/template"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
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
	Missing    string
	Facts      []string
	Size       *sizeView
	Pictures   []pictureView
	Fields     []fieldView
	Derives    bool // at least one field has copies
	Comes      bool // at least one field comes from another
	Members    []memberView
	Copies     []copyView
	Parts      []ref
	Out        []referenceView
	In         []referenceView
	Uniques    []uniqueView
	Views      []viewView
	Operations []operationView
	Changes    []changeView
	No         []explain.NoMethod
	Warnings   []ignoreView
}

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
	Derived []ref // the columns of copies that derive from it
	Member  ref   // the struct that its values are
	Rows    []ref // the copies whose rows exist by it
}

// memberView is a struct that an aggregate composes.
type memberView struct {
	ID, Name, Kind, UDT string
	Doc                 template.HTML
	Fields              []fieldView
	Docs                bool // at least one field has a meaning beyond its type
}

// copyView is a redundant aggregate of a root.
type copyView struct {
	Aggregate, Table ref
	Lines            []lineView
}

// referenceView is a reference between two aggregates.
type referenceView struct {
	Aggregate ref
	Field     string
	Methods   []string
	No        string
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
	No         []explain.NoMethod
}

// changeView is what a change of a field writes.
type changeView struct {
	Name  string
	Cost  string
	Lines []lineView
}

// aggregatePage computes the page of an aggregate.
func (b *builder) aggregatePage(a *model.Aggregate) *page {
	t, x := b.Schema.TableOf(a), b.of(a)
	v := &aggregateView{Name: name(a.Struct.Name), Kind: kindOf(a), Of: b.parent(a), Table: b.table(t), Key: text(outline.Key(t)), Doc: b.comments.html(a.Struct.Doc),
		Missing: text(x.Missing), Facts: factsOf(a, t), No: x.No, Warnings: b.within(a)}
	v.Size = b.sizeOf(a.Table)
	for _, at := range a.Attributes {
		if !at.Hidden() {
			v.Fields = append(v.Fields, b.field(a, at))
		}
	}
	v.Derives = slices.ContainsFunc(v.Fields, func(f fieldView) bool { return f.Derived != nil || f.Rows != nil })
	v.Comes = slices.ContainsFunc(v.Fields, func(f fieldView) bool { return f.From != nil })
	for _, o := range objectsOf(a.Attributes) {
		v.Members = append(v.Members, b.member(o))
	}
	for _, c := range x.Copies {
		v.Copies = append(v.Copies, copyView{b.aggregate(c.Table.Aggregate), b.table(c.Table), linesOf(outline.OfCopy(c), 0)})
	}
	for _, p := range a.Parts {
		v.Parts = append(v.Parts, b.aggregate(p))
	}
	v.Out, v.In = b.references(a, t)
	for _, u := range x.Uniques {
		v.Uniques = append(v.Uniques, uniqueView{text(u.Fields), b.table(u.Table), linesOf(outline.OfUnique(u), 1)})
	}
	for _, w := range b.explain.Views {
		if w.Aggregate == a {
			v.Views = append(v.Views, b.view(w))
		}
	}
	for _, o := range x.Operations {
		v.Operations = append(v.Operations, operationOf(o))
	}
	for _, f := range x.Fields {
		v.Changes = append(v.Changes, changeOf(f))
	}
	v.Pictures = b.picturesOf(a)
	b.find(v.Name, kindOf(a), b.names.aggregates[a], "")
	for _, f := range v.Fields {
		b.find(f.Go, "field", b.names.aggregates[a]+"#"+f.ID, v.Name)
	}
	return &page{File: b.names.aggregates[a], Title: b.titled(v.Name), Template: "aggregate", View: v, Root: rootOf(a), Aggregate: a}
}

func kindOf(a *model.Aggregate) string {
	switch {
	case !a.IsSource():
		return "redundant aggregate"
	case a.Root != nil:
		return "part"
	case a.Counter:
		return "root of counters"
	case a.Version != nil:
		return "versioned root"
	}
	return "root"
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

// rootOf returns the root that an aggregate belongs to.
func rootOf(a *model.Aggregate) *model.Aggregate {
	if a.Redundancy != nil {
		a = a.Redundancy.Source
	}
	if a.Root != nil {
		return a.Root
	}
	return a
}

// factsOf returns the properties of an aggregate that are not those of its fields.
func factsOf(a *model.Aggregate, t *schema.Table) (out []string) {
	if t.Expires() {
		out = append(out, "Its rows expire: "+text(t.TTLText())+".")
	}
	if a.Large {
		out = append(out, "Large: a write above the limit of a batch is several batches.")
	}
	if a.InRootTable {
		out = append(out, "Its rows are in the table of its root.")
	}
	if r := a.Redundancy; r != nil {
		if r.Path != nil {
			out = append(out, "One row for each element of "+text(r.Path.String())+".")
		} else {
			out = append(out, "One row for each "+name(r.Source.Struct.Name)+".")
		}
		if when, ok := a.Tag.Option("when"); ok {
			out = append(out, "A row exists only while "+text(when.Value)+" holds.")
		}
		if r.Distinct {
			out = append(out, "Distinct: no two elements have the same row at the same time.")
		}
		if r.Shared {
			out = append(out, "Shared: a row belongs to all sources that write it, and is never deleted.")
		}
		if r.Unlogged {
			out = append(out, "Unlogged: its rows are written after those of the root, and can be missing until Reconcile writes them.")
		}
	}
	if a.Was != "" {
		out = append(out, "Earlier name of its table: "+name(a.Was)+".")
	}
	return out
}

// field describes a field of an aggregate.
func (b *builder) field(a *model.Aggregate, at *model.Attribute) fieldView {
	t := b.Schema.TableOf(a)
	f := b.fieldOf(a, at)
	i := slices.IndexFunc(t.Columns, func(c *schema.Column) bool { return c.Attribute == at })
	if i < 0 {
		return f
	}
	c := t.Columns[i]
	f.Column = b.column(t, c)
	f.Column.Name = name(c.Name)
	f.CQL = text(c.Type.String())
	f.From = b.origins(at.Origin)
	f.Rows, f.Derived = b.derived(t, c)
	return f
}

// fieldOf describes a field by itself. A is nil for a field of a struct that aggregates compose.
func (b *builder) fieldOf(a *model.Aggregate, at *model.Attribute) fieldView {
	goName := strings.Join(at.Path, ".")
	f := fieldView{ID: "field-" + anchor(goName), Go: name(goName), Key: at.Key, Doc: b.comments.html(docOf(at)), CQL: text(at.Type.String())}
	for _, m := range marksOf(a, at) {
		f.Marks = append(f.Marks, text(m))
	}
	if at.Field != nil {
		f.Type = text(at.Field.Type.Text)
	}
	if at.Association != nil {
		f.Refers = b.aggregate(at.Association.Target)
	}
	if o := objectOf(at.Type); o != nil {
		f.Member = ref{name(o.Struct.Name), b.names.objects[o], true}
	}
	return f
}

// derived returns the copies of a table whose rows exist by a column, and their columns that derive from it.
func (b *builder) derived(t *schema.Table, c *schema.Column) (rows, columns []ref) {
	for _, p := range t.Projections {
		if !c.InKey() && p.Effect(c).Exists {
			rows = append(rows, b.table(p.Table))
		}
		for _, x := range p.Deriving(c) {
			columns = append(columns, b.column(p.Table, x))
		}
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

// member describes a struct that aggregates compose.
func (b *builder) member(o *model.Object) memberView {
	m := memberView{ID: memberID(o), Name: name(o.Struct.Name), Kind: "value object", UDT: name(o.UDT), Doc: b.comments.html(o.Struct.Doc)}
	if o.Entity {
		m.Kind = "entity"
	}
	for _, at := range o.Attributes {
		if at.Hidden() {
			continue
		}
		f := b.fieldOf(nil, at)
		f.ID = memberID(o) + "-" + anchor(strings.Join(at.Path, "."))
		f.Column.Name = name(at.Name)
		if slices.Contains(o.Identity, at) {
			f.Marks = append([]string{"identity"}, f.Marks...)
		}
		m.Fields = append(m.Fields, f)
		m.Docs = m.Docs || f.Doc != "" || f.Marks != nil || f.Refers.Name != ""
	}
	return m
}

// memberID returns the anchor of a struct on the pages of the aggregates that compose it.
func memberID(o *model.Object) string {
	if o.UDT == "" {
		return "tuple-" + anchor(o.Struct.Pkg+"."+o.Struct.Name)
	}
	return "member-" + anchor(o.UDT)
}

// objectsOf returns the structs that attributes compose, each once, outer ones first.
func objectsOf(in []*model.Attribute) (out []*model.Object) {
	var walk func([]*model.Attribute)
	walk = func(in []*model.Attribute) {
		for _, at := range in {
			for _, o := range []*model.Object{objectOf(at.Type), keyOf(at.Type)} {
				if o != nil && !slices.Contains(out, o) {
					out = append(out, o)
					walk(o.Attributes)
				}
			}
		}
	}
	walk(in)
	return out
}

// objectOf returns the struct that a value or its elements are, or nil.
func objectOf(t *model.Type) *model.Object {
	for ; t != nil; t = t.Elem {
		if t.Object != nil {
			return t.Object
		}
	}
	return nil
}

// keyOf returns the struct that the keys of a map are, or nil.
func keyOf(t *model.Type) *model.Object {
	if t.Kind != model.MapType {
		return nil
	}
	return objectOf(t.Key)
}

// references returns the references of an aggregate to roots, and those of others to it.
func (b *builder) references(a *model.Aggregate, t *schema.Table) (out, in []referenceView) {
	for _, r := range t.References() {
		v := referenceView{Aggregate: b.aggregate(r.Target), No: text(r.No)}
		if r.Fields[0] != nil {
			v.Field = text(r.Field())
		}
		if r.No == "" {
			v.Methods = append(v.Methods, r.FollowMethod())
			if all := r.FollowAllMethod(); all != "" {
				v.Methods = append(v.Methods, all)
			}
		}
		out = append(out, v)
	}
	if !a.IsSource() {
		return out, nil
	}
	for _, r := range b.Schema.Referring(t) {
		v := referenceView{Aggregate: b.aggregate(r.From.Aggregate), Field: text(r.Reference.Field()), No: text(r.No)}
		if r.No == "" {
			v.Methods = []string{r.Method()}
		}
		in = append(in, v)
	}
	return out, in
}

// view describes a view of a table.
func (b *builder) view(w *explain.View) viewView {
	v := viewView{Name: name(w.Model.Struct.Name), Doc: b.comments.html(w.Model.Struct.Doc), No: w.No}
	for _, at := range w.Model.Attributes {
		v.Fields = append(v.Fields, name(at.GoName()))
	}
	for _, o := range w.Operations {
		v.Operations = append(v.Operations, operationOf(o))
	}
	return v
}

func changeOf(f *explain.Field) changeView {
	v := changeView{name(strings.Join(f.Attribute.Path, ".")), "final: a change is refused", linesOf(outline.OfField(f), 1)}
	if f.Update != nil {
		v.Cost = text(outline.Sending(f.Update))
	}
	return v
}
