package site

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

// site collects the pages.
type site struct {
	input    Input
	title    string
	names    *names
	builders []*builder
	pages    []*page
	found    [][]string
	taken    map[string]bool // entries of the search
}

// page is one page before it is rendered.
type page struct {
	File      string
	Title     string
	Template  string
	View      any
	Root      *model.Aggregate // the root that the page belongs to; nil: none
	Aggregate *model.Aggregate
	Table     *schema.Table
}

func (s *site) add(p *page) { s.pages = append(s.pages, p) }

// builder computes the pages of one model.
type builder struct {
	Model
	site     *site
	names    *names
	label    string // the name of the package, which no other package of the site has
	comments *comments
	explain  *explain.Explanation
	reads    map[string][]queryView // keys are the tables that they read
	sizes    map[string]model.TableEstimate
	types    map[string]*schema.UDT
}

func (s *site) builder(m Model, label string) *builder {
	b := &builder{Model: m, site: s, names: s.names, label: name(label), explain: m.Explained, reads: newReads(m.Explained), sizes: map[string]model.TableEstimate{},
		types: map[string]*schema.UDT{}}
	for _, a := range m.Aggregates {
		for _, o := range composedObjects(a.Attributes) {
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
	b.comments = newComments(m, b.names)
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

// storeTable returns the explanation of the store of an aggregate.
func (b *builder) storeTable(a *model.Aggregate) *explain.Table {
	return b.explain.Tables[slices.IndexFunc(b.explain.Tables, func(x *explain.Table) bool { return x.Aggregate == a })]
}

// aggregateKind returns the kind of an aggregate as it is printed.
func aggregateKind(a *model.Aggregate) string {
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

// titled returns the title of a page. In a site of several packages, its package distinguishes it.
func (b *builder) titled(title string) string {
	if !b.site.names.prefixed {
		return title
	}
	return b.label + "." + title
}

// shownLabel returns the label of the package, or "" in a site of one package, whose pages do not show it.
func (b *builder) shownLabel() string {
	if !b.site.names.prefixed {
		return ""
	}
	return b.label
}

func (b *builder) find(label, kind, href, of string) { b.site.find(label, kind, href, of) }

// find adds an entry of the search.
func (s *site) find(label, kind, href, of string) {
	entry := []string{label, kind, href, of}
	if key := strings.Join(entry, "\x00"); !s.taken[key] {
		s.taken[key] = true
		s.found = append(s.found, entry)
	}
}

// newSize describes the estimated size of a partition of a table.
func (b *builder) newSize(table string) *sizeView {
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
