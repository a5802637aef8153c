package site

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
)

// builder computes the pages of one model.
type builder struct {
	Model
	site     *site
	names    *names
	comments *comments
	explain  *explain.Explanation
	reads    map[string][]queryView // by the table that they read
	sizes    map[string]model.TableEstimate
	types    map[string]*schema.UDT
}

func (s *site) builder(m Model) *builder {
	b := &builder{Model: m, site: s, names: s.names, explain: m.Explained, reads: readsOf(m.Explained), sizes: map[string]model.TableEstimate{},
		types: map[string]*schema.UDT{}}
	for _, a := range m.Aggregates {
		for _, o := range objectsOf(a.Attributes) {
			if b.names.objects[o] == "" {
				b.names.objects[o] = b.names.aggregates[a] + "#" + memberID(o)
			}
		}
	}
	for _, u := range m.Schema.Types {
		b.types[u.Name] = u
	}
	for _, e := range model.Estimates(m.Model.Model) {
		b.sizes[e.Table] = e
	}
	b.comments = commentsOf(m, b.names)
	return b
}

// ref is a name with the address of its page; "" for none.
type ref struct {
	Name string
	Href string
	Code bool // a name of Go or CQL
}

func (b *builder) aggregate(a *model.Aggregate) ref {
	return ref{name(a.Struct.Name), b.names.aggregates[a], true} // "" for one of another package
}

// table returns a link to the page of a table. A table of a store that contains one of two aggregates has the page of the whole.
func (b *builder) table(t *schema.Table) ref {
	i := slices.IndexFunc(b.Schema.Tables, func(x *schema.Table) bool { return x.Name == t.Name })
	return ref{name(t.Name), b.names.tables[b.Schema.Tables[i]], true}
}

// column returns a link to a column on the page of its table.
func (b *builder) column(t *schema.Table, c *schema.Column) ref {
	r := b.table(t)
	return ref{name(t.Name + "." + c.Name), r.Href + "#" + columnID(c.Name), true}
}

// of returns the explanation of the store of an aggregate.
func (b *builder) of(a *model.Aggregate) *explain.Table {
	return b.explain.Tables[slices.IndexFunc(b.explain.Tables, func(x *explain.Table) bool { return x.Aggregate == a })]
}

// operationView is an operation of a store.
type operationView struct {
	Name  string
	Cost  string
	Lines []lineView
}

// lineView is a line of an explanation.
type lineView struct {
	Depth int
	CQL   string
	Text  string
}

// writeView is the effect of operations on one table.
type writeView struct {
	By         []string // the operations, and the fields that change
	Of         ref      // the aggregate of the operations
	Effect     string
	Partitions string
	Sending    string
}

func operationOf(o *explain.Operation) operationView {
	v := operationView{Name: o.Name, Cost: text(outline.Cost(o))}
	v.Lines = linesOf(outline.OfOperation(o), 1) // without the name and the cost
	return v
}

// reads reports whether an operation writes nothing.
func reads(o *explain.Operation) bool {
	return !o.ByField && !slices.ContainsFunc(o.Requests, func(r *explain.Request) bool { return !r.Read })
}

// linesOf returns the lines of an outline after the first ones, without empty lines, from depth 0 on.
func linesOf(o *outline.Outline, after int) (out []lineView) {
	least := 1 << 10
	for _, l := range o.Lines {
		switch {
		case l.String() == "":
		case after > 0:
			after--
		default:
			least = min(least, l.Depth)
			out = append(out, lineView{l.Depth, text(l.CQL), text(l.Text)})
		}
	}
	for i := range out {
		out[i].Depth -= least
	}
	return out
}

// sizeOf describes the estimated size of a partition of a table.
func (b *builder) sizeOf(table string) *sizeView {
	e := b.sizes[table]
	return &sizeView{e.Rows, e.Cells, e.Size(), e.Assumed, e.Large()}
}

// sizeView is the estimated size of a partition.
type sizeView struct {
	Rows, Cells int64
	Bytes       string
	Assumed     bool
	Large       bool
}

// ignoreView is a warning, which a comment can silence.
type ignoreView struct {
	Code, Title, Reason, Where string
	Silenced                   bool
}

// within returns the warnings of an aggregate: those of its struct and its fields.
func (b *builder) within(a *model.Aggregate) (out []ignoreView) {
	for _, i := range b.Package.Ignores {
		if about(i.Pos.File, i.From, i.To, a.Struct) {
			out = append(out, ignoreView{name(i.Code), titleOf(i.Code), text(i.Reason), "", true})
		}
	}
	for _, d := range b.Warnings {
		if about(d.Pos.File, d.Pos.Line, d.Pos.Line, a.Struct) {
			out = append(out, ignoreView{d.Rule.Code, d.Rule.Title, text(d.What + "; " + d.Fix), "", false})
		}
	}
	return out
}

// about reports whether lines of a file contain the name or a field of a struct.
func about(file string, from, to int, s *model.Struct) bool {
	in := func(p model.Pos) bool { return p.File == file && p.Line >= from && p.Line <= to }
	return in(s.Pos) || in(s.Tag.Pos) || slices.ContainsFunc(s.Fields, func(f *model.Field) bool { return in(f.Pos) || in(f.Tag.Pos) })
}

func titleOf(code string) string {
	for _, r := range model.Rules() {
		if r.Code == code {
			return r.Title
		}
	}
	return ""
}
