package codegen

import (
	"slices"
	"strconv"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// view is the complete file as the templates print it: every name, type and statement is chosen.
type view struct {
	Package   string
	Path      string // the import path
	Standard  []Import
	Others    []Import
	Store     string
	Open      string
	OpenOn    string
	New       string
	Batch     string // "" if no table can be written in a batch
	Backfills string
	Schema    string
	Types     []typeView // user-defined
	Tuples    []typeView
	Tables    []*tableView // as a store sees them
	Whole     []*tableView // those that are two of Tables: a root and the part in its table
	Views     []*tableView
	Functions []Function
	Infos     []variable // CQL types, for the users' own codecs
	Unchanged []structView
	Basics    []variable // named types that are stored as a type of Go
	Constants []variable // constants of conditions and of enums

	names *names
}

// typeView is the descriptor of a UDT or a tuple.
type typeView struct {
	Name     string // "" of a tuple
	Of       string
	Fields   []fieldView
	Identity string // 0, 2
}

type fieldView struct{ Name, Type, Go, Of string }

// newView computes the view of the file.
func newView(m *model.Model, s *schema.Schema, c Config) *view {
	n := newNames(c.Prefix, m.Package.Names)
	im := newImports(m.Package.Path, n)
	v := &view{Package: m.Package.Name, Path: m.Package.Path, names: n}
	b := &viewer{schema: s, names: n, imports: im, structs: map[string]*model.Struct{}, keyTypes: map[*model.Aggregate]keysView{},
		partitionTypes: map[*model.Aggregate]partitionType{}, codecs: &codecs{imports: im, names: n, done: map[string]string{}}}
	v.head()
	if slices.ContainsFunc(s.Stored, batched) {
		v.Batch = n.exported("Batch", &model.Struct{Name: "the store"})
	}
	for _, u := range s.Types {
		v.Types = append(v.Types, b.typeOf(u))
	}
	fields := []string{"Session", "With", "Batch", "Reconcile"}
	for _, t := range s.Stored {
		table := b.table(t)
		if !table.Derived {
			n.distinct(t.Aggregate.Struct, v.Store, fields, table.Field)
		}
		if table.Batch != nil {
			n.distinct(t.Aggregate.Struct, v.Batch, []string{"Run"}, table.Field)
		}
		v.Tables = append(v.Tables, table)
	}
	for _, t := range s.Tables {
		if t.Part != nil {
			v.Whole = append(v.Whole, b.whole(t))
		}
	}
	for _, t := range v.Tables {
		if t.Versioned != nil {
			b.linkVersioned(t, v.Tables)
		}
	}
	for _, x := range s.Views {
		view := b.view(x)
		n.distinct(x.Model.Struct, v.Store, fields, view.Field)
		v.Views = append(v.Views, view)
	}
	v.link(s)
	b.references(v)
	v.backfills()
	v.Functions, v.Infos, v.Tuples = b.codecs.flush(), b.codecs.infos, b.tuples
	v.Basics, v.Constants = b.codecs.basics(), b.constants(m)
	v.Unchanged = b.codecs.unchanged() // after all parameters have names, because parameters avoid the names of imports
	v.Standard, v.Others = im.sorted()
	return v
}

func (v *view) head() {
	of := &model.Struct{Name: "the store"}
	v.Store, v.Open, v.OpenOn = v.names.exported("Store", of), v.names.exported("Open", of), v.names.exported("OpenOn", of)
	v.New, v.Schema = v.names.internal("NewStore", of), v.names.internal("StoreSchema", of)
}

// StoreFields returns the tables and views that are fields of the store: all except derived tables.
func (v *view) StoreFields() []*tableView {
	return slices.DeleteFunc(slices.Concat(v.Tables, v.Views), func(t *tableView) bool { return t.Derived })
}

// Derived returns the tables that only the mapper uses.
func (v *view) Derived() []*tableView {
	return slices.DeleteFunc(slices.Clone(v.Tables), func(t *tableView) bool { return !t.Derived })
}

// SchemaTables returns the tables that the server has.
func (v *view) SchemaTables() []*tableView {
	return append(slices.DeleteFunc(slices.Clone(v.Tables), v.shared), v.Whole...)
}

// SchemaViews returns some columns of the server's tables: the views of the model, and a root and the part in its table.
func (v *view) SchemaViews() []*tableView {
	return append(slices.DeleteFunc(slices.Clone(v.Tables), func(t *tableView) bool { return !v.shared(t) }), v.Views...)
}

// shared reports whether a table is one of the two that the server has as one.
func (v *view) shared(t *tableView) bool {
	return slices.ContainsFunc(v.Whole, func(x *tableView) bool { return x.Name == t.Name })
}

// Copied returns the tables that have copies.
func (v *view) Copied() (tables []*tableView) {
	for _, t := range v.Tables {
		if len(t.Copies) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// link adds to each table the projections of its rows and the parts of its root.
func (v *view) link(s *schema.Schema) {
	for i, t := range s.Stored {
		for _, p := range t.Projections {
			for j, x := range s.Stored {
				if x == p.Table {
					v.Tables[i].Copies = append(v.Tables[i].Copies, copyView(p, v.Tables[j]))
					v.Tables[j].Source = v.Tables[i]
				}
			}
		}
	}
	for i, t := range s.Stored {
		if v.Tables[i].Derived {
			continue
		}
		for j, x := range s.Stored {
			if x.Aggregate != nil && x.Aggregate.Root == t.Aggregate {
				v.part(v.Tables[i], v.Tables[j])
			}
		}
	}
	for _, t := range v.Tables {
		if !t.Derived {
			t.document()
		}
	}
}

// backfills sets the name of the function that returns the backfills. A package without any has it, too, so that a program need not
// change when a redundant table is added.
func (v *view) backfills() {
	v.Backfills = v.names.exported("Backfills", &model.Struct{Name: "the store"})
}

// HasVersions reports whether there is a versioned root.
func (v *view) HasVersions() bool {
	return slices.ContainsFunc(v.Tables, func(t *tableView) bool { return t.Versioned != nil })
}

// HasLifetimes reports whether a TTL of a table has a name.
func (v *view) HasLifetimes() bool {
	return slices.ContainsFunc(v.Tables, func(t *tableView) bool { return t.Lifetimes != "" })
}

// BackfillsDoc returns the comment of the function that returns the backfills.
func (v *view) BackfillsDoc() string {
	const (
		tables   = "a function for every redundant table. The function fills the table from its source while other programs write."
		versions = "a function TABLE__version for every versioned root. The function makes the rows that programs without versions have written " +
			"rows of the root; these programs must have ended."
		both = `Each starts after the checkpoint from, or with "" at the beginning, and saves new checkpoints. It is safe to repeat.`
	)
	if len(v.Copied()) == 0 {
		return doc("%s returns, for migrate.Config, %s %s", v.Backfills, versions, both)
	}
	return doc("%s returns, for migrate.Config, %s It also returns %s %s", v.Backfills, tables, versions, both)
}

// VersionFunc returns the name of the function that assigns versions to the rows of a versioned root; "" for any other table.
func (v *tableView) VersionFunc() string {
	if v.Versioned == nil {
		return ""
	}
	return schema.VersionFunc(v.Name)
}

func (b *viewer) typeOf(u *schema.UDT) typeView {
	t := typeView{Name: strconv.Quote(u.Name), Of: b.structOf(u.Object.Struct)}
	for _, f := range u.Fields {
		t.Fields = append(t.Fields, fieldView{strconv.Quote(f.Name), strconv.Quote(f.Type.String()), strconv.Quote(f.Attribute.GoName()), b.of(f.Attribute.Type)})
	}
	var identity []int
	for _, a := range u.Object.Identity {
		identity = append(identity, slices.Index(u.Object.Attributes, a))
	}
	t.Identity = numbers(identity)
	return t
}

// of returns the name of the struct of a value, or of its elements; "" for none. The struct of a tuple is described when it is
// first used, because the schema has no type for it.
func (b *viewer) of(t *model.Type) string {
	switch {
	case t.Kind == model.Tuple && t.Object != nil:
		return b.tupleOf(t)
	case t.Kind == model.Composed:
		return b.structOf(t.Object.Struct)
	case t.Elem != nil:
		return b.of(t.Elem)
	}
	return ""
}

func (b *viewer) tupleOf(t *model.Type) string {
	name := b.structOf(t.Object.Struct)
	if slices.ContainsFunc(b.tuples, func(x typeView) bool { return x.Of == name }) {
		return name
	}
	at := len(b.tuples)
	b.tuples = append(b.tuples, typeView{Of: name})
	for _, a := range t.Object.Attributes {
		f := fieldView{Go: strconv.Quote(a.GoName()), Of: b.of(a.Type)}
		b.tuples[at].Fields = append(b.tuples[at].Fields, f)
	}
	return name
}

// structOf returns a unique name of a struct for messages: Point, geo.Point, geo.Point of another package geo.
func (b *viewer) structOf(s *model.Struct) string {
	name := s.Name
	if s.Path != b.imports.self {
		name = s.Pkg + "." + name
	}
	for other := b.structs[name]; other != nil && other != s; other = b.structs[name] {
		name += "'"
	}
	b.structs[name] = s
	return strconv.Quote(name)
}

// viewer builds the views of the tables.
type viewer struct {
	schema   *schema.Schema
	names    *names
	imports  *imports
	codecs   *codecs
	structs  map[string]*model.Struct // by their names in descriptors
	tuples   []typeView
	keyTypes map[*model.Aggregate]keysView

	partitionTypes map[*model.Aggregate]partitionType
}
