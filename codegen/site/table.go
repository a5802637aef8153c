package site

import (
	"html/template"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/diagram"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
)

// tableView is the page of a table.
type tableView struct {
	Name     string
	Key      string
	About    string
	Of       []ref // the aggregates whose rows it has
	Doc      template.HTML
	CQL      []string
	Columns  []columnView
	Docs     bool // true if a column has a doc comment
	Derives  bool
	Comes    bool
	Size     *sizeView
	Indexes  []indexView
	Writes   []writeView
	Changes  bool // an entry of Writes is a change of a field
	Queries  []queryView
	Warnings []ignoreView
}

// columnView is a column of a table.
type columnView struct {
	ID, Name, Type, Kind string
	Sign                 string // sign of a Chebotko diagram
	Field                ref
	Doc                  template.HTML
	From, Rows, Derived  []ref
	Own                  bool // only the store uses it
}

// indexView is an index of a table.
type indexView struct{ Name, Column, Method, Use string }

// writeView is the effect of operations on one table.
type writeView struct {
	By         []string // the operations, and the fields that change
	Of         ref      // the aggregate of the operations
	Effect     string
	Partitions string
	Sending    string
}

// tablePage computes the page of a table.
func (b *builder) tablePage(t *schema.Table) *page {
	v := &tableView{Name: name(t.Name), Key: text(t.KeyText()), CQL: b.cql(t), Size: b.newSize(t.Name), Of: b.owners(t), Writes: b.writes(t), Queries: b.reads[t.Name]}
	root := t.Derived
	if t.Aggregate != nil {
		root = t.Aggregate
		v.Doc, v.About = b.comments.html(t.Aggregate.Struct.Doc), aboutTable(t.Aggregate)
		v.Warnings = b.aggregateWarnings(t.Aggregate)
	} else {
		v.About = "It is derived: the store writes it, and programs do not read it."
		if v.Queries != nil {
			v.About = "It is derived: the store writes it, and its methods read a row of this table and then the row of the root."
		}
	}
	if t.Part != nil {
		v.About = "It has the rows of a root, in its static columns, and those of a part."
	}
	for _, c := range t.Columns {
		v.Columns = append(v.Columns, b.newColumn(t, c))
		b.find(name(c.Name), "column", b.names.tables[t]+"#"+columnID(c.Name), b.titled(v.Name))
	}
	v.Docs = slices.ContainsFunc(v.Columns, func(c columnView) bool { return c.Doc != "" })
	v.Derives = slices.ContainsFunc(v.Columns, func(c columnView) bool { return c.Derived != nil || c.Rows != nil })
	v.Comes = slices.ContainsFunc(v.Columns, func(c columnView) bool { return c.From != nil })
	for _, i := range t.Indexes {
		v.Indexes = append(v.Indexes, newIndex(i))
		b.find(name(i.Name), "index", b.names.tables[t]+"#indexes", b.titled(v.Name))
	}
	for _, w := range v.Writes {
		v.Changes = v.Changes || slices.ContainsFunc(w.By, func(by string) bool { return strings.HasPrefix(by, changed) })
	}
	b.find(v.Name, "table", b.names.tables[t], b.shownLabel())
	return &page{File: b.names.tables[t], Title: "Table " + b.titled(v.Name), Template: "table", View: v, Root: diagram.Root(root), Table: t}
}

// owners returns the aggregates whose rows a table has, or the one that needs a derived table.
func (b *builder) owners(t *schema.Table) []ref {
	switch {
	case t.Aggregate == nil:
		return []ref{b.aggregate(t.Derived)}
	case t.Part != nil:
		return []ref{b.aggregate(t.Aggregate), b.aggregate(t.Part)}
	}
	return []ref{b.aggregate(t.Aggregate)}
}

func aboutTable(a *model.Aggregate) string {
	if a.IsSource() {
		return "Programs write its rows."
	}
	return "Its rows are derived: they are written with those of its source."
}

// cql returns the statements that create a table, with the types that its columns use.
func (b *builder) cql(t *schema.Table) (out []string) {
	var used []string
	var walk func(*schema.Type)
	walk = func(x *schema.Type) {
		for _, a := range x.Args {
			walk(a)
		}
		if u := b.types[x.Name]; x.UDT && u != nil && !slices.Contains(used, u.Name) {
			for _, f := range u.Fields {
				walk(f.Type)
			}
			used = append(used, u.Name)
			out = append(out, text(u.CQL()+";"))
		}
	}
	for _, c := range t.Columns {
		walk(c.Type)
	}
	out = append(out, text(t.CQL()+";"))
	for _, i := range t.Indexes {
		out = append(out, text(i.CQL(t)+";"))
	}
	return out
}

// newColumn describes a column.
func (b *builder) newColumn(t *schema.Table, c *schema.Column) columnView {
	v := columnView{ID: columnID(c.Name), Name: name(c.Name), Type: text(c.Type.String()), Kind: columnKinds[c.Kind]}
	v.Sign = diagram.KindSign(c)
	if c.Kind == schema.ClusteringKey {
		v.Kind += ", " + orders[c.Order]
	}
	if c.Attribute == nil || c.Attribute.Hidden() {
		v.Own = c.From == nil
		if c.From != nil {
			v.Field = ref{Name: name(c.From.GoName()), Code: true}
		}
		return v
	}
	owner := t.Aggregate
	if t.Part != nil && !slices.Contains(owner.Attributes, c.Attribute) {
		owner = t.Part
	}
	goName := strings.Join(c.Attribute.Path, ".")
	v.Field = ref{name(goName), b.names.aggregates[owner] + "#field-" + anchor(goName), true}
	v.Doc = b.comments.html(fieldDoc(c.Attribute))
	v.From = append(b.origins(c.Attribute.Origin), b.copied(owner, c.Attribute)...)
	stored := b.Schema.Table(owner)
	if i := slices.IndexFunc(stored.Columns, func(x *schema.Column) bool { return x.Attribute == c.Attribute }); i >= 0 {
		v.Rows, v.Derived = b.derived(stored, stored.Columns[i])
	}
	return v
}

var columnKinds = map[schema.Kind]string{
	schema.PartitionKey: "partition key", schema.ClusteringKey: "clustering key", schema.Static: "static", schema.Regular: "",
}

func newIndex(i *schema.Index) indexView {
	v := indexView{Name: name(i.Name), Column: name(i.Column.Name), Method: "By" + i.Column.Attribute.GoName()}
	v.Use = map[schema.Lookup]string{schema.Equals: "rows with a value", schema.Contains: "rows whose collection has a value", schema.Near: "rows with the nearest vectors"}[i.Read]
	return v
}

// writes returns the operations that write a table: operations of its own aggregate, and of others whose writes include it. Those with
// the same effect are one entry.
func (b *builder) writes(t *schema.Table) (out []writeView) {
	for _, x := range b.explain.Tables {
		w := &writers{b: b, table: t, of: b.aggregate(x.Aggregate)}
		for _, o := range x.Operations {
			w.add(o.Name, slices.Concat(o.Requests, o.After)...)
		}
		for _, u := range x.Uniques {
			w.add("claim of "+u.Fields, u.Claim...)
			w.add("release of "+u.Fields, u.Release...)
		}
		for _, f := range x.Fields {
			if f.Update != nil {
				w.add(changed+strings.Join(f.Attribute.Path, "."), f.Update)
			}
			w.methods(f)
		}
		out = append(out, w.found...)
	}
	return out
}

// changed begins the entries of fields.
const changed = "change of "

// writers collects the writes of one aggregate to a table.
type writers struct {
	b     *builder
	table *schema.Table
	of    ref
	found []writeView
}

// methods adds the methods for one field.
func (w *writers) methods(f *explain.Field) {
	if f.Set != nil {
		w.add(f.Set.Name, f.Set.Requests...)
	}
	for _, e := range f.Elements {
		if e.Operation != nil {
			w.add(e.Name, e.Operation.Requests...)
		}
	}
}

// add adds the writes of an operation.
func (w *writers) add(by string, requests ...*explain.Request) {
	for _, r := range requests {
		for ; r != nil; r = r.Then {
			for _, x := range r.Writes {
				if !r.Read && x.Table.Name == w.table.Name {
					w.note(text(by), writeView{Of: w.of, Effect: text(inWords.Replace(outline.Effect(x))), Partitions: text(inWords.Replace(outline.Partitions(r))), Sending: text(inWords.Replace(sending(r)))})
				}
			}
		}
	}
}

// note adds a write to the entry with the same effect, or a new one.
func (w *writers) note(by string, v writeView) {
	i := slices.IndexFunc(w.found, func(o writeView) bool {
		return o.Effect == v.Effect && o.Partitions == v.Partitions && o.Sending == v.Sending
	})
	if i < 0 {
		i = len(w.found)
		w.found = append(w.found, v)
	}
	if !slices.Contains(w.found[i].By, by) {
		w.found[i].By = append(w.found[i].By, by)
	}
}

// inWords replaces the short forms of aml explain.
var inWords = strings.NewReplacer(", cells only: ", "; columns: ", " + ", ", and ", " (server: +1)", "")

// sending returns how a request is sent. A conditional one is a lightweight transaction.
func sending(r *explain.Request) string {
	if r.Conditional && r.Batch == explain.Never {
		return "a conditional statement"
	}
	if r.Conditional {
		return "a conditional batch"
	}
	return outline.Sending(r)
}
